package org.ucxnio.transport;

/** How thoroughly a thread that progresses a worker looks for what has arrived. */
public enum Effort {
    /** Everything that has arrived is taken in: for a call that does not wait. */
    ALL,

    /** A look, which others will follow: where rings carry the bytes, UCX is asked now and then only. */
    SOME,

    /** As {@link #SOME}, behind looking at the rings for a while. */
    SPIN
}
