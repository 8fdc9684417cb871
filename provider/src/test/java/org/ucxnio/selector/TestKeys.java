package org.ucxnio.selector;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;

/** Keys that belong to no selector and no channel. */
final class TestKeys {
    private TestKeys() {}

    static UcxSelectionKey key() {
        return new UcxSelectionKey(null, null, 0);
    }

    static List<UcxSelectionKey> keys(int count) {
        List<UcxSelectionKey> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(key());
        }
        return keys;
    }

    /** A key of another kind. */
    static SelectionKey foreignKey() {
        return new SelectionKey() {
            @Override
            public SelectableChannel channel() {
                return null;
            }

            @Override
            public Selector selector() {
                return null;
            }

            @Override
            public boolean isValid() {
                return true;
            }

            @Override
            public void cancel() {
                // nothing to cancel
            }

            @Override
            public int interestOps() {
                return 0;
            }

            @Override
            public SelectionKey interestOps(int ops) {
                return this;
            }

            @Override
            public int readyOps() {
                return 0;
            }
        };
    }
}
