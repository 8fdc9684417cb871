package org.ucxnio.connect;

/** Takes accelerated connections for a server channel. Called on the control thread; must not block. */
public interface AcceptQueue {

    /** Whether another connection may be started; when not, {@link Companion#resume} follows once there is room. */
    boolean hasRoom();

    /** A client has come: who came before it is accepted before it. */
    void takeEarlier();

    /** Hands over a connection; false when the server channel is closed, and the connection not taken. */
    boolean offer(Accepted accepted);
}
