package org.ucxnio.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
    void shouldForgetAllWhateverThreadsDo() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        Callable<Void> work = () -> {
            for (int i = 0; i < 20_000; i++) {
                FakeMovable one = accepted(i % 3);
                FakeMovable two = accepted(i % 3);
                table.add(one);
                table.add(two);
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
