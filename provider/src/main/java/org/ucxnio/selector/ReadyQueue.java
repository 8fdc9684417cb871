package org.ucxnio.selector;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Keys to be looked at by the selecting thread, put there by any thread: a stack linked through the keys themselves, emptied as a
 * whole, so that it needs no memory of its own. A key is in it once at most ({@link UcxSelectionKey#markQueued}). The
 * compare-and-set that publishes a key orders all that was written before it; taking the chain orders all that is read after.
 */
final class ReadyQueue {
    private final AtomicReference<UcxSelectionKey> head = new AtomicReference<>();

    /** Adds a key that the caller has just marked as queued. */
    void push(UcxSelectionKey key) {
        UcxSelectionKey top;
        do {
            top = head.get();
            key.next = top;
        } while (!head.compareAndSet(top, key));
    }

    boolean isEmpty() {
        return head.get() == null;
    }

    /** Takes everything, the key pushed first in front; null when empty. */
    UcxSelectionKey takeAll() {
        if (head.get() == null) {
            return null;
        }
        UcxSelectionKey chain = head.getAndSet(null);
        UcxSelectionKey reversed = null;
        while (chain != null) {
            UcxSelectionKey rest = chain.next;
            chain.next = reversed;
            reversed = chain;
            chain = rest;
        }
        return reversed;
    }
}
