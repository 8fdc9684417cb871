package org.ucxnio.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AcceptedTableTest {
    private final AcceptedTable table = new AcceptedTable();

    private static FakeMovable accepted(int port) {
        return new FakeMovable(new InetSocketAddress("127.0.0.1", 80), new InetSocketAddress("127.0.0.1", port));
    }

    private Movable find(int port) {
        return table.find(AddressPair.of(accepted(port)));
    }

    @Test
    void shouldFindByBothAddresses() {
        FakeMovable one = accepted(1);
        table.add(one);
        table.add(accepted(2));
        assertThat(find(1)).isSameAs(one);
        assertThat(find(3)).isNull();
        assertThat(table.find(AddressPair.of(one).mirrored())).isNull();
        table.remove(accepted(1));
        assertThat(find(1)).isSameAs(one);
        table.remove(one);
        assertThat(find(1)).isNull();
        assertThat(find(2)).isNotNull();
    }

    @Test
    void shouldFindNoneOfSeveral() {
        FakeMovable one = accepted(1);
        FakeMovable two = accepted(1);
        FakeMovable three = accepted(1);
        table.add(one);
        table.add(two);
        assertThat(find(1)).isNull();
        table.add(three);
        table.remove(two);
        assertThat(find(1)).isNull();
        table.remove(two);
        table.remove(one);
        assertThat(find(1)).isSameAs(three);
        table.remove(three);
        assertThat(find(1)).isNull();
    }

    @Test
    void shouldNotMindConnectionsWithoutAddresses() {
        FakeMovable closed = new FakeMovable(null, null);
        table.add(closed);
        table.remove(closed);
        table.add(new FakeMovable(InetSocketAddress.createUnresolved("nowhere", 1), new InetSocketAddress(1)));
    }

    @Test
    void shouldFindWhateverWasAcceptedBetweenTwoQuestions() {
        List<FakeMovable> all =
                IntStream.range(0, 300).mapToObj(port -> accepted(port)).toList();
        all.subList(0, 200).forEach(table::add);
        // The first, the last and one in between, before anybody has asked.
        List.of(0, 199, 100).forEach(port -> table.remove(all.get(port)));
        assertThat(find(1)).isSameAs(all.get(1));
        all.subList(200, 300).forEach(table::add);
        List.of(2, 299).forEach(port -> table.remove(all.get(port)));
        Set<Integer> removed = Set.of(0, 199, 100, 2, 299);
        for (int port = 0; port < 300; port++) {
            assertThat(find(port)).as("port %d", port).isSameAs(removed.contains(port) ? null : all.get(port));
        }
        all.forEach(table::remove);
        assertThat(IntStream.range(0, 300).mapToObj(this::find)).containsOnlyNulls();
    }

    @Test
    void shouldFindAgainWhatWasAddedAgain() {
        FakeMovable one = accepted(1);
        for (int i = 0; i < 3; i++) {
            table.add(one);
            assertThat(find(1)).isSameAs(one);
            table.remove(one);
            assertThat(find(1)).isNull();
        }
    }

    @Test
    void shouldForgetAllWhateverThreadsDo() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        Callable<Void> work = () -> {
            for (int i = 0; i < 20_000; i++) {
                FakeMovable one = accepted(i % 3);
                FakeMovable two = accepted(i % 3);
                table.add(one);
                table.add(two);
                if (i % 7 == 0) {
                    find(3);
                }
                table.remove(i % 2 == 0 ? one : two);
                table.remove(i % 2 == 0 ? two : one);
            }
            return null;
        };
        List<Future<Void>> results = new ArrayList<>(threads.invokeAll(List.of(work, work, work, work)));
        threads.shutdown();
        for (Future<Void> result : results) {
            result.get();
        }
        for (int port = 0; port < 3; port++) {
            FakeMovable only = accepted(port);
            table.add(only);
            assertThat(find(port)).isSameAs(only);
        }
    }
}
