package org.ucxnio.selector;

import java.nio.channels.SelectionKey;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The selected-key set: keys can be removed, not added, by applications. Each key knows its place, so that adding and removing
 * cost the same for any size and adding allocates nothing. Like the JDK's it is not thread-safe.
 */
final class SelectedKeys extends AbstractSet<SelectionKey> {
    private UcxSelectionKey[] keys = new UcxSelectionKey[16];
    private int size;
    private int modifications;

    /** Adds a key that is not in the set. */
    void put(UcxSelectionKey key) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, size * 2);
        }
        key.selectedIndex = size;
        keys[size++] = key;
        modifications++;
    }

    boolean has(UcxSelectionKey key) {
        return key.selectedIndex >= 0;
    }

    @Override
    public boolean contains(Object candidate) {
        return mine(candidate) != null;
    }

    private UcxSelectionKey mine(Object candidate) {
        return candidate instanceof UcxSelectionKey key
                        && key.selectedIndex >= 0
                        && key.selectedIndex < size
                        && keys[key.selectedIndex] == key
                ? key
                : null;
    }

    @Override
    public boolean addAll(Collection<? extends SelectionKey> candidates) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean remove(Object candidate) {
        UcxSelectionKey key = mine(candidate);
        if (key == null) {
            return false;
        }
        removeAt(key.selectedIndex);
        return true;
    }

    private void removeAt(int index) {
        keys[index].selectedIndex = -1;
        UcxSelectionKey last = keys[--size];
        keys[size] = null;
        if (index < size) {
            keys[index] = last;
            last.selectedIndex = index;
        }
        modifications++;
    }

    @Override
    public void clear() {
        for (int i = 0; i < size; i++) {
            keys[i].selectedIndex = -1;
            keys[i] = null;
        }
        size = 0;
        modifications++;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Iterator<SelectionKey> iterator() {
        return new Keys();
    }

    /** Walks from the end, so that removing the current key moves only keys already seen. */
    private final class Keys implements Iterator<SelectionKey> {
        private int next = size;
        private int expected = modifications;
        private boolean removable;

        @Override
        public boolean hasNext() {
            return next > 0;
        }

        @Override
        public SelectionKey next() {
            check();
            if (next == 0) {
                throw new NoSuchElementException();
            }
            removable = true;
            return keys[--next];
        }

        @Override
        public void remove() {
            if (!removable) {
                throw new IllegalStateException();
            }
            check();
            removable = false;
            removeAt(next);
            expected = modifications;
        }

        private void check() {
            if (expected != modifications) {
                throw new ConcurrentModificationException();
            }
        }
    }
}
