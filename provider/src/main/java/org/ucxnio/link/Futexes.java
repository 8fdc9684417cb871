package org.ucxnio.link;

import org.ucxnio.posix.Futex;

/** Where a futex comes from: nothing native is loaded before the first connection has a ring. Thread-safe. */
public interface Futexes {

    /** The futex, or null where there is none; always the same answer. */
    Futex get();
}
