package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class ConnectionTableTest {
    private static final int INDEX_BITS = 20;
    private static final int GENERATIONS = 1 << 32 - INDEX_BITS;

    private final ConnectionTable table = new ConnectionTable();

    /** The table only keeps connections; one that nothing is called on does. */
    private static Connection connection() {
        Transport transport = Processes.shared().left;
        return new Connection(transport, null, Processes.peer(transport));
    }

    @Test
    void shouldFindAConnectionByItsId() {
        Connection first = connection();
        Connection second = connection();

        int firstId = table.add(first);
        int secondId = table.add(second);

        assertThat(table.get(firstId)).isSameAs(first);
        assertThat(table.get(secondId)).isSameAs(second);
        assertThat(table.size()).isEqualTo(2);
    }

    @Test
    void shouldNeverHandOutZero() {
        Connection connection = connection();
        for (int i = 0; i < GENERATIONS * 2 + 5; i++) {
            int id = table.add(connection);
            assertThat(id).isNotZero();
            table.remove(id);
        }
    }

    @Test
    void shouldNotFindARemovedConnectionNorItsSuccessorUnderTheOldId() {
        int old = table.add(connection());
        table.remove(old);
        assertThat(table.get(old)).isNull();

        Connection successor = connection();
        int id = table.add(successor);

        assertThat(id & (1 << INDEX_BITS) - 1).as("same slot").isEqualTo(old & (1 << INDEX_BITS) - 1);
        assertThat(id).isNotEqualTo(old);
        assertThat(table.get(old)).isNull();
        assertThat(table.get(id)).isSameAs(successor);
    }

    @Test
    void shouldIgnoreTheRemovalOfAStaleId() {
        int old = table.add(connection());
        table.remove(old);
        Connection successor = connection();
        int id = table.add(successor);

        table.remove(old);
        table.remove(old);

        assertThat(table.get(id)).isSameAs(successor);
        assertThat(table.size()).isEqualTo(1);
        assertThat(table.add(connection())).as("no slot is handed out twice").isNotEqualTo(id);
    }

    @Test
    void shouldUseEveryGenerationOfASlotBeforeAnIdComesBack() {
        Set<Integer> ids = new HashSet<>();
        Connection connection = connection();
        for (int i = 0; i < GENERATIONS - 1; i++) {
            int id = table.add(connection);
            assertThat(ids.add(id)).as("id %08x is new", id).isTrue();
            table.remove(id);
        }
        assertThat(ids).contains(table.add(connection));
    }

    @Test
    void shouldBeSafeToAskForAnyInt() {
        assertThat(table.get(0)).isNull();
        table.add(connection());
        for (int id :
                new int[] {0, -1, 1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << INDEX_BITS | 1, 0xfff << INDEX_BITS}) {
            assertThat(table.get(id)).as("%08x", id).isNull();
            table.remove(id);
        }
        assertThat(table.size()).isEqualTo(1);
    }

    @Test
    void shouldGrow() {
        Map<Integer, Connection> all = new HashMap<>();
        for (int i = 0; i < 5000; i++) {
            Connection connection = connection();
            assertThat(all.put(table.add(connection), connection)).isNull();
        }

        assertThat(table.size()).isEqualTo(5000);
        all.forEach((id, connection) -> assertThat(table.get(id)).isSameAs(connection));
        assertThat(table.snapshot()).containsExactlyInAnyOrderElementsOf(all.values());
    }

    @Test
    void shouldLeaveRemovedConnectionsOutOfASnapshot() {
        Connection kept = connection();
        int removed = table.add(connection());
        table.add(kept);
        table.remove(removed);

        assertThat(table.snapshot()).containsExactly(kept);
    }

    @Test
    void shouldBehaveAsAMapThroughRandomUse() {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        Map<Integer, Connection> model = new HashMap<>();
        List<Integer> retired = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            if (model.isEmpty() || random.nextInt(100) < 52) {
                Connection connection = connection();
                assertThat(model.put(table.add(connection), connection))
                        .as("seed %d", seed)
                        .isNull();
            } else {
                int id = model.keySet().iterator().next();
                model.remove(id);
                table.remove(id);
                retired.add(id);
            }
            assertThat(table.size()).as("seed %d", seed).isEqualTo(model.size());
        }
        model.forEach((id, connection) ->
                assertThat(table.get(id)).as("seed %d", seed).isSameAs(connection));
        retired.forEach(id -> assertThat(table.get(id)).as("seed %d", seed).isSameAs(model.get(id)));
    }

    /** A message for a worker that is gone may reach the one that took its place. */
    @Test
    void shouldGiveDifferentIdsInDifferentTables() {
        int here = new ConnectionTable().add(connection());
        int there = new ConnectionTable().add(connection());

        assertThat(here).isNotEqualTo(there);
    }
}
