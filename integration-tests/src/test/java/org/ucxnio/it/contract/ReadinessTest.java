package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Peer;

/** When connected channels are ready, and how selectors tell. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#selecting")
class ReadinessTest {
    private static final long PATIENCE_MS = 20_000;

    @Parameter
    private Setting setting;

    private Connection connection;
    private SocketChannel channel;
    private Selector selector;

    @BeforeEach
    void connect() throws IOException {
        connection = Connection.open(setting);
        channel = connection.channel();
        selector = channel.provider().openSelector();
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
        connection.close();
    }

    @Test
    void shouldBeWritableAtOnceAndStaySo() throws IOException {
        SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
        for (int round = 0; round < 3; round++) {
            assertThat(selector.select(PATIENCE_MS)).isEqualTo(1);
            assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_WRITE);
            assertThat(key.isWritable()).isTrue();
            assertThat(key.isReadable()).isFalse();
            selector.selectedKeys().clear();
        }
    }

    @Test
    void shouldBeReadableUntilEverythingIsRead() throws IOException {
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        assertThat(selector.selectNow()).isZero();
        connection.peer("write 10");
        ByteBuffer buffer = ByteBuffer.allocate(4);
        int total = 0;
        while (total < 10) {
            assertThat(selector.select(PATIENCE_MS)).isEqualTo(1);
            assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_READ);
            selector.selectedKeys().clear();
            int count = channel.read(buffer.clear());
            assertThat(count).isPositive();
            connection.incoming().verify(buffer.flip());
            total += count;
        }
        assertThat(selector.selectNow()).isZero();
        assertThat(channel.read(buffer.clear())).isZero();
    }

    @Test
    void shouldCountOnlyKeysWhoseReadySetChanged() throws IOException {
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        assertThat(selector.select(PATIENCE_MS)).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_WRITE);
        // Still selected and nothing new.
        assertThat(selector.selectNow()).isZero();
        connection.peer("write 1");
        // A byte under way is no byte yet: until it is there, each selection returns at once and has nothing new to
        // count.
        int changed = 0;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (changed == 0 && System.nanoTime() < deadline) {
            changed = selector.select(PATIENCE_MS);
        }
        assertThat(changed).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        // What is ready accumulates until the key is removed from the selected ones.
        connection.read(1);
        assertThat(selector.selectNow()).isZero();
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        selector.selectedKeys().remove(key);
        assertThat(selector.selectNow()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_WRITE);
    }

    @Test
    void shouldSelectNothingWithoutInterest() throws IOException {
        SelectionKey key = channel.register(selector, 0);
        connection.peer("write 1");
        assertThat(selector.select(20)).isZero();
        key.interestOps(SelectionKey.OP_READ);
        assertThat(selector.select(PATIENCE_MS)).isEqualTo(1);
        selector.selectedKeys().clear();
        key.interestOps(0);
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.selectedKeys()).isEmpty();
    }

    @Test
    void shouldSelectForAnActionInsteadOfASet() throws IOException {
        channel.register(selector, SelectionKey.OP_READ);
        assertThat(selector.selectNow(key -> {
                    throw new AssertionError("nothing is ready");
                }))
                .isZero();
        connection.peer("write 1");
        List<SelectionKey> seen = new ArrayList<>();
        assertThat(selector.select(seen::add, PATIENCE_MS)).isEqualTo(1);
        assertThat(selector.select(seen::add)).isEqualTo(1);
        assertThat(selector.selectNow(seen::add)).isEqualTo(1);
        assertThat(seen).hasSize(3).allMatch(key -> key.readyOps() == SelectionKey.OP_READ);
        assertThat(selector.selectedKeys()).isEmpty();
        assertThatThrownBy(() -> selector.select(key -> {
                    throw new IllegalStateException("from the action");
                }))
                .hasMessage("from the action");
        assertThatThrownBy(() -> selector.select(key -> closeQuietly(selector)))
                .isInstanceOf(ClosedSelectorException.class);
    }

    private static void closeQuietly(Selector selector) {
        try {
            selector.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldWakeASleepingSelectorByData() throws Exception {
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        for (int round = 0; round < 5; round++) {
            Attempt<Integer> select = Attempt.start(() -> selector.select()).awaitInside("select");
            connection.peer("write 100");
            assertThat(select.result()).isEqualTo(1);
            assertThat(key.isReadable()).isTrue();
            selector.selectedKeys().clear();
            connection.read(100);
        }
    }

    @Test
    void shouldWakeASleepingSelectorByTheEndOfTheStream() throws Exception {
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        Attempt<Integer> select = Attempt.start(() -> selector.select()).awaitInside("select");
        connection.peer("close");
        assertThat(select.result()).isEqualTo(1);
        assertThat(key.isReadable()).isTrue();
        assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shouldHeedAnInterestChangedByAnotherThreadAfterWakeup() throws Exception {
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        Attempt<Integer> select = Attempt.start(() -> selector.select()).awaitInside("select");
        key.interestOps(SelectionKey.OP_WRITE);
        selector.wakeup();
        select.result();
        assertThat(selector.select(PATIENCE_MS) + select.result()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_WRITE);
    }

    @Test
    void shouldTellSeveralSelectorsOfTheSameChannel() throws IOException {
        try (Selector second = channel.provider().openSelector()) {
            channel.register(selector, SelectionKey.OP_READ);
            SelectionKey other = channel.register(second, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            connection.peer("write 5");
            assertThat(selector.select(PATIENCE_MS)).isEqualTo(1);
            while (other.readyOps() != (SelectionKey.OP_READ | SelectionKey.OP_WRITE)) {
                // One may be found before the other; who has found the key to be writable does not wait for more, and
                // returns 0.
                assertThat(second.select(PATIENCE_MS)).isBetween(0, 1);
            }
            connection.read(5);
            selector.selectedKeys().clear();
            assertThat(selector.selectNow()).isZero();
        }
    }

    @Test
    void shouldBecomeReadyInANewSelectorWhenDataIsThereAlready() throws IOException {
        connection.peer("write 5");
        for (int round = 0; round < 3; round++) {
            try (Selector late = channel.provider().openSelector()) {
                SelectionKey key = channel.register(late, SelectionKey.OP_READ);
                assertThat(late.select(PATIENCE_MS)).isEqualTo(1);
                assertThat(key.isReadable()).isTrue();
            }
        }
        connection.read(5);
    }

    @Test
    void shouldFindTheFewReadyAmongManyKeys() throws IOException {
        List<Connection> connections = new ArrayList<>();
        List<SelectionKey> keys = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                Connection one = Connection.open(setting);
                connections.add(one);
                keys.add(one.channel().register(selector, SelectionKey.OP_READ, one));
            }
            assertThat(selector.selectNow()).isZero();
            for (int round = 0; round < 10; round++) {
                expectReady(connections, List.of(round, round + 37, 99 - round));
            }
            assertThat(selector.keys()).containsExactlyInAnyOrderElementsOf(keys);
        } finally {
            for (Connection one : connections) {
                one.close();
            }
        }
    }

    private void expectReady(List<Connection> connections, List<Integer> indexes) throws IOException {
        List<Connection> expected = new ArrayList<>();
        for (int index : indexes) {
            expected.add(connections.get(index));
            connections.get(index).peer("write 7");
        }
        List<Connection> ready = new ArrayList<>();
        while (ready.size() < expected.size()) {
            assertThat(selector.select(PATIENCE_MS)).isPositive();
            for (SelectionKey key : selector.selectedKeys()) {
                Connection one = (Connection) key.attachment();
                assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_READ);
                one.read(7);
                ready.add(one);
            }
            selector.selectedKeys().clear();
        }
        assertThat(ready).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(selector.selectNow()).isZero();
    }

    @Test
    void shouldAnswerWhileBothDirectionsAreSelected() throws IOException {
        CompletableFuture<String> echoed = connection.peerStarts("echo");
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        ByteBuffer out = ByteBuffer.allocateDirect(1 << 20);
        connection.outgoing().fill(out);
        ByteBuffer expected = out.duplicate().flip();
        out.flip();
        ByteBuffer in = ByteBuffer.allocateDirect(1 << 20);
        while (in.hasRemaining()) {
            assertThat(selector.select(PATIENCE_MS)).isEqualTo(1);
            selector.selectedKeys().clear();
            if (key.isWritable()) {
                channel.write(out);
                key.interestOps(
                        out.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            }
            channel.read(in);
        }
        assertThat(in.flip()).isEqualTo(expected);
        channel.shutdownOutput();
        assertThat(Peer.await(echoed)).isEqualTo(Integer.toString(1 << 20));
    }
}
