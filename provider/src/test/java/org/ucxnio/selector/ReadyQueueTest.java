package org.ucxnio.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ReadyQueueTest {
    private final ReadyQueue queue = new ReadyQueue();

    private List<UcxSelectionKey> takeAll() {
        List<UcxSelectionKey> taken = new ArrayList<>();
        for (UcxSelectionKey key = queue.takeAll(); key != null; ) {
            UcxSelectionKey next = key.next;
            key.next = null;
            taken.add(key);
            key = next;
        }
        return taken;
    }

    @Test
    void shouldBeEmptyAtFirst() {
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.takeAll()).isNull();
    }

    @Test
    void shouldGiveKeysInTheOrderTheyCame() {
        List<UcxSelectionKey> keys = TestKeys.keys(10);
        keys.forEach(queue::push);
        assertThat(queue.isEmpty()).isFalse();

        assertThat(takeAll()).containsExactlyElementsOf(keys);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.takeAll()).isNull();
    }

    @Test
    void shouldTakeTheSameKeysAgainAndAgain() {
        List<UcxSelectionKey> keys = TestKeys.keys(3);
        for (int round = 0; round < 10; round++) {
            keys.forEach(queue::push);
            assertThat(takeAll()).containsExactlyElementsOf(keys);
        }
    }

    @Test
    void shouldLetAKeyBeMarkedOnce() {
        UcxSelectionKey key = TestKeys.key();

        assertThat(key.markQueued()).isTrue();
        assertThat(key.markQueued()).isFalse();
        key.clearQueued();
        assertThat(key.markQueued()).isTrue();
    }

    @Test
    void shouldLoseNoKeyOfManyThreads() throws InterruptedException {
        int threads = 4;
        int each = 100_000;
        CountDownLatch ready = new CountDownLatch(threads);
        CountDownLatch done = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            Thread.ofPlatform().daemon().start(() -> {
                List<UcxSelectionKey> keys = TestKeys.keys(each);
                ready.countDown();
                while (ready.getCount() > 0) {
                    Thread.onSpinWait();
                }
                keys.forEach(queue::push);
                done.countDown();
            });
        }
        Set<UcxSelectionKey> taken = new HashSet<>();
        boolean last;
        do {
            last = done.getCount() == 0;
            for (UcxSelectionKey key : takeAll()) {
                assertThat(taken.add(key)).isTrue();
            }
        } while (!last);

        assertThat(taken).hasSize(threads * each);
    }

    /** The selector's protocol: whatever a thread published before it signalled is seen by a look after the key was taken. */
    @Test
    void shouldLoseNoSignalOfManyThreads() throws InterruptedException {
        int threads = 4;
        int signals = 200_000;
        List<UcxSelectionKey> keys = TestKeys.keys(64);
        Map<UcxSelectionKey, Integer> places = new HashMap<>();
        keys.forEach(key -> places.put(key, places.size()));
        AtomicLongArray published = new AtomicLongArray(keys.size());
        long[] seen = new long[keys.size()];
        CountDownLatch done = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            int first = t;
            Thread.ofPlatform().daemon().start(() -> {
                for (int i = 0; i < signals; i++) {
                    int place = (first * 16 + i) % keys.size();
                    published.incrementAndGet(place);
                    if (keys.get(place).markQueued()) {
                        queue.push(keys.get(place));
                    }
                }
                done.countDown();
            });
        }
        boolean last;
        do {
            last = done.getCount() == 0;
            List<UcxSelectionKey> taken = takeAll();
            assertThat(taken).doesNotHaveDuplicates();
            for (UcxSelectionKey key : taken) {
                key.clearQueued();
                seen[places.get(key)] = published.get(places.get(key));
            }
        } while (!last);
        for (int i = 0; i < seen.length; i++) {
            assertThat(seen[i]).as("key %d", i).isEqualTo(published.get(i));
        }
    }
}
