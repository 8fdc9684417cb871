package org.ucxnio.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.SelectionKey;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class SelectedKeysTest {
    private final SelectedKeys set = new SelectedKeys();

    private List<UcxSelectionKey> filled(int count) {
        List<UcxSelectionKey> keys = TestKeys.keys(count);
        keys.forEach(set::put);
        return keys;
    }

    @Test
    void shouldBeEmptyAtFirst() {
        assertThat(set).isEmpty();
        assertThat(set.iterator().hasNext()).isFalse();
        assertThatThrownBy(() -> set.iterator().next()).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void shouldHoldWhatWasPut() {
        List<UcxSelectionKey> keys = filled(100);

        assertThat(set).hasSize(100).containsExactlyInAnyOrderElementsOf(keys);
        for (UcxSelectionKey key : keys) {
            assertThat(set.has(key)).isTrue();
            assertThat(set.contains(key)).isTrue();
        }
        assertThat(set.has(TestKeys.key())).isFalse();
    }

    @Test
    void shouldNotLetApplicationsAdd() {
        UcxSelectionKey key = TestKeys.key();

        assertThatThrownBy(() -> set.add(key)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> set.addAll(List.of(key))).isInstanceOf(UnsupportedOperationException.class);
        assertThat(set).isEmpty();
    }

    @Test
    void shouldRemoveOnce() {
        List<UcxSelectionKey> keys = filled(5);

        assertThat(set.remove(keys.get(1))).isTrue();
        assertThat(set.remove(keys.get(1))).isFalse();

        assertThat(set.has(keys.get(1))).isFalse();
        assertThat(set).containsExactlyInAnyOrder(keys.get(0), keys.get(2), keys.get(3), keys.get(4));
    }

    @Test
    void shouldTakeAKeyBackAfterItsRemoval() {
        UcxSelectionKey key = filled(1).get(0);
        set.remove(key);
        set.put(key);

        assertThat(set).containsExactly(key);
    }

    @Test
    void shouldNotKnowWhatIsNotInIt() {
        filled(3);
        SelectedKeys other = new SelectedKeys();
        UcxSelectionKey elsewhere = TestKeys.key();
        other.put(elsewhere);

        for (Object stranger : new Object[] {null, "text", TestKeys.key(), TestKeys.foreignKey(), elsewhere}) {
            assertThat(set.contains(stranger)).isFalse();
            assertThat(set.remove(stranger)).isFalse();
        }
        assertThat(set).hasSize(3);
        assertThat(other.has(elsewhere)).isTrue();
    }

    @Test
    void shouldVisitEveryKeyOnceWhileAllAreRemoved() {
        List<UcxSelectionKey> keys = filled(40);
        Set<SelectionKey> seen = new HashSet<>();
        for (Iterator<SelectionKey> all = set.iterator(); all.hasNext(); ) {
            assertThat(seen.add(all.next())).isTrue();
            all.remove();
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(keys);
        assertThat(set).isEmpty();
        assertThat(keys).noneMatch(set::has);
    }

    @Test
    void shouldVisitEveryKeyOnceWhileSomeAreRemoved() {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            set.clear();
            List<UcxSelectionKey> keys = filled(random.nextInt(50));
            Set<SelectionKey> seen = new HashSet<>();
            Set<SelectionKey> kept = new HashSet<>();
            for (Iterator<SelectionKey> all = set.iterator(); all.hasNext(); ) {
                SelectionKey key = all.next();
                assertThat(seen.add(key)).as("seed %dL", seed).isTrue();
                if (random.nextBoolean()) {
                    all.remove();
                } else {
                    kept.add(key);
                }
            }
            assertThat(seen).as("seed %dL", seed).hasSize(keys.size());
            assertThat(set).as("seed %dL", seed).containsExactlyInAnyOrderElementsOf(kept);
        }
    }

    @Test
    void shouldRemoveOnlyWhatNextGave() {
        filled(2);
        Iterator<SelectionKey> all = set.iterator();
        assertThatThrownBy(all::remove).isInstanceOf(IllegalStateException.class);
        all.next();
        all.remove();

        assertThatThrownBy(all::remove).isInstanceOf(IllegalStateException.class);
        assertThat(set).hasSize(1);
    }

    @Test
    void shouldNoticeARemovalBehindAnIteratorsBack() {
        List<UcxSelectionKey> keys = filled(3);
        Iterator<SelectionKey> all = set.iterator();
        all.next();
        set.remove(keys.get(0));

        assertThatThrownBy(all::next).isInstanceOf(ConcurrentModificationException.class);
        assertThatThrownBy(all::remove).isInstanceOf(ConcurrentModificationException.class);
    }

    @Test
    void shouldNoticeASelectionBehindAnIteratorsBack() {
        filled(3);
        Iterator<SelectionKey> all = set.iterator();
        set.put(TestKeys.key());

        assertThatThrownBy(all::next).isInstanceOf(ConcurrentModificationException.class);
    }

    @Test
    void shouldNoticeThatItWasClearedBehindAnIteratorsBack() {
        filled(3);
        Iterator<SelectionKey> all = set.iterator();
        set.clear();

        assertThatThrownBy(all::next).isInstanceOf(ConcurrentModificationException.class);
    }

    @Test
    void shouldForgetEverythingWhenCleared() {
        List<UcxSelectionKey> keys = filled(50);

        set.clear();

        assertThat(set).isEmpty();
        assertThat(keys).noneMatch(set::has);
        keys.forEach(set::put);
        assertThat(set).hasSize(50);
    }

    @Test
    void shouldSupportTheOtherWaysOfRemoving() {
        List<UcxSelectionKey> keys = filled(10);

        assertThat(set.removeAll(keys.subList(0, 2))).isTrue();
        assertThat(set.removeIf(key -> key == keys.get(2))).isTrue();
        assertThat(set.retainAll(Set.copyOf(keys.subList(3, 6)))).isTrue();

        assertThat(set).containsExactlyInAnyOrder(keys.get(3), keys.get(4), keys.get(5));
        assertThat(set.toArray()).hasSize(3);
        assertThat(set).isEqualTo(Set.copyOf(keys.subList(3, 6))).hasSameHashCodeAs(Set.copyOf(keys.subList(3, 6)));
    }
}
