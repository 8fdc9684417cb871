package org.ucxnio.transport;

/** A worker as the {@link Poller} sees it. */
interface Polled {
    int eventFd();

    /** The event descriptor became readable. */
    void onEvent();

    /** One visit to a worker that nobody progresses; returns whether it wants another. */
    boolean visit();

    /** How often the worker was progressed; a racy look is good enough to tell whether somebody does. */
    long progressCount();

    /** It threw what is no connection's fault. */
    void abandon(Throwable cause);
}
