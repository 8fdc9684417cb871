package org.ucxnio.selector;

import java.nio.channels.SelectableChannel;
import org.ucxnio.link.Bell;
import org.ucxnio.transport.TransportWorker;
import org.ucxnio.transport.WorkerGroup;

/** What the selector needs to know of a channel of ours. Thread-safe. */
public interface TransportChannel {

    /** The kernel channel whose readiness counts now; null while none does. Changes are told to the listeners. */
    SelectableChannel kernelChannel();

    /**
     * Whether the kernel alone tells what the channel is ready for. Once it does not, it never does again; before anything else has something to tell,
     * the listeners hear of it.
     */
    boolean isKernelsAlone();

    /**
     * Operations that are ready without the kernel's word.
     *
     * @param interest the operations that are asked for, some at least
     */
    int transportReadyOps(int interest);

    /**
     * The same, where an error of the JVM's about memory that has gone is thrown, and taken, before this returns. It may be thrown behind
     * {@link #transportReadyOps}, and is another channel's there.
     */
    default int transportReadyOpsAlone(int interest) {
        return transportReadyOps(interest);
    }

    /**
     * The worker that must be progressed for this channel; null while it has none.
     *
     * @param group where the channel had better have its worker, if it has none yet
     */
    TransportWorker bindTo(WorkerGroup group);

    /**
     * Operations that {@link #transportReadyOps} tells of as rings carry them: READ and WRITE, of which the kernel tells nothing then, and
     * CONNECT where the end of a ring makes a channel ready for everything. Shrinks only where a stream goes back to TCP, of which the
     * listeners hear.
     */
    default int ringOps() {
        return 0;
    }

    /**
     * What the kernel channel is to be watched for, given the interest: operations that the kernel carries, and OP_READ for the bytes
     * that wake a sleeper where a ring carries something.
     */
    default int kernelOps(int interest) {
        return interest;
    }

    /**
     * The kernel channel is ready: takes in what is no byte of the application's.
     *
     * @param ops what the kernel channel is ready for
     * @return what of it counts for the application
     */
    default int onKernelReady(int ops) {
        return ops;
    }

    /**
     * Before a selector sleeps: has its kernel channel become readable, or the selector's bell rung, once a ring is ready for any of
     * {@code ops}. It holds until that happens, or {@link #disarm}.
     *
     * @param bell null for the kernel channel alone
     * @return whether none is ready now; if one is, there is no reason to sleep
     */
    default boolean arm(int ops, Bell bell) {
        return true;
    }

    /** The selector looks by itself again. */
    default void disarm() {}

    /** Adds a listener that hears when readiness, or the kernel channel, may have changed. */
    void addListener(ChannelListener listener);

    void removeListener(ChannelListener listener);
}
