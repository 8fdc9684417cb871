package org.ucxnio.selector;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Keys to be looked at by the selecting thread, put there by any thread: a stack linked through the keys themselves, emptied as a
 * whole, so that it needs no memory of its own. A key is in it once at most ({@link UcxSelectionKey#markQueued}). The
 * compare-and-set that publishes a key orders all that was written before it; taking the chain orders all that is read after.
 */
final class ReadyQueue {
    private static final AtomicReferenceFieldUpdater<ReadyQueue, UcxSelectionKey> HEAD =
            AtomicReferenceFieldUpdater.newUpdater(ReadyQueue.class, UcxSelectionKey.class, "head");

    /** Null where it is empty; changed through {@link #HEAD}. */
    private volatile UcxSelectionKey head;

    /** Adds a key that the caller has just marked as queued. */
    void push(UcxSelectionKey key) {
        UcxSelectionKey top;
        do {
            top = head;
            key.next = top;
        } while (!HEAD.compareAndSet(this, top, key));
    }

    boolean isEmpty() {
        return head == null;
    }

    /** Takes everything, the key pushed first in front; null when empty. */
    UcxSelectionKey takeAll() {
        if (head == null) {
            return null;
        }
        UcxSelectionKey chain = HEAD.getAndSet(this, null);
        UcxSelectionKey reversed = null;
        while (chain != null) {
            UcxSelectionKey rest = chain.next;
            chain.next = reversed;
            reversed = chain;
            chain = rest;
        }
        return reversed;
    }

    /** A selection fails: the keys that it has not come to yet have their turn in the next one. */
    void putBack(UcxSelectionKey chain) {
        UcxSelectionKey next;
        for (UcxSelectionKey key = chain; key != null; key = next) {
            next = key.next;
            push(key);
        }
    }
}
