package org.ucxnio.link;

/** A connection, as the link sees it that carries it. Thread-safe; nothing waits. */
public interface Carried {
    Tokens tokens();

    /** Whether TCP carries nothing but tokens from this end. */
    boolean hasSwitched();

    /** Selectors have to look anew. */
    void onReady();

    /** The peer knows where this end's stream has left TCP, and a token is due. For links that do not know it at once. */
    void onSwitchKnown();

    /** What was written is with the peer: its socket may be closed. For links that have something under way. */
    void onDrained();

    /** The link has failed. Where either stream has left TCP the connection has failed with it, and the peer has to hear of it by the socket. */
    void onBroken();
}
