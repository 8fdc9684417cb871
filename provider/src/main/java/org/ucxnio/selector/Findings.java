package org.ucxnio.selector;

import java.nio.channels.SelectionKey;
import java.util.Arrays;

/**
 * What a selection has found: in the selected-key set, or in a list for the action that the selection was given. Owned by the selecting
 * thread, but for the selected-key set, which is the application's between two selections.
 */
final class Findings {
    private final SelectedKeys selected = new SelectedKeys();
    private UcxSelectionKey[] collected = new UcxSelectionKey[16];
    private int collectedCount;
    private boolean collecting;

    /** Findings of this selection, those that changed no key included. */
    private int events;

    private int updated;

    /** Number of this selection; wraps around. */
    private int selection;

    SelectedKeys selected() {
        return selected;
    }

    void begin() {
        events = 0;
        updated = 0;
        selection++;
    }

    /** From now on keys go into the list, which is empty, and not into the set. */
    void beginCollecting() {
        collectedCount = 0;
        collecting = true;
    }

    void endCollecting() {
        collecting = false;
        for (int i = 0; i < collectedCount; i++) {
            collected[i].collected = false;
        }
    }

    int collected() {
        return collectedCount;
    }

    /** Hands out a key of the list, once. */
    UcxSelectionKey take(int index) {
        UcxSelectionKey key = collected[index];
        collected[index] = null;
        return key;
    }

    boolean isEmpty() {
        return events == 0;
    }

    /** How many keys were added, or have more operations ready than before. */
    int updated() {
        return updated;
    }

    /** Adds what is ready of a key; returns whether anything is. */
    boolean add(UcxSelectionKey key, int ops) {
        if (ops == 0) {
            return false;
        }
        events++;
        if (collecting) {
            collect(key, ops);
        } else if (!selected.has(key)) {
            key.ready(ops);
            selected.put(key);
            count(key);
        } else if ((key.readyNow() | ops) != key.readyNow()) {
            key.ready(key.readyNow() | ops);
            count(key);
        }
        return true;
    }

    /** Once in a selection, though kernel and ring may each have something for the key. */
    private void count(UcxSelectionKey key) {
        if (key.countedIn != selection) {
            key.countedIn = selection;
            updated++;
        }
    }

    private void collect(UcxSelectionKey key, int ops) {
        if (key.collected) {
            key.ready(key.readyNow() | ops);
            return;
        }
        key.collected = true;
        key.ready(ops);
        if (collectedCount == collected.length) {
            collected = Arrays.copyOf(collected, collectedCount * 2);
        }
        collected[collectedCount++] = key;
        updated++;
    }

    /** A key that was ready to connect is not any more, once connected, although nothing selects it again. */
    void forgetConnectable(UcxSelectionKey key) {
        if (key.readyNow() == SelectionKey.OP_CONNECT && !selected.has(key)) {
            key.ready(0);
        }
    }
}
