package org.ucxnio.session;

/** How fast the first connections move that two processes have between them. */
public enum Pace {
    /** All as soon as they ask. */
    AT_ONCE,

    /** What they need is loaded before the first one moves, and many calls of it are over before more of them do. */
    STEADILY,

    /** The same for a process that calls seldom: some seconds. */
    SLOWLY
}
