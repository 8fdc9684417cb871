package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Proc;

/** Channels of other kinds, and of the JDK's provider, in one selector together with connections. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#selecting")
class MixedSelectorTest {
    private static final long PATIENCE_MS = 20_000;

    @Parameter
    private Setting setting;

    @TempDir
    private Path directory;

    private SelectorProvider provider;
    private Selector selector;

    @BeforeEach
    void open() throws IOException {
        provider = setting.flavour().provider();
        selector = provider.openSelector();
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
    }

    /** Two ends of something: what is written to one becomes readable at the other. */
    private record Line(WritableByteChannel writer, SelectableChannel reader, List<AutoCloseable> parts) {
        int read(ByteBuffer buffer) throws IOException {
            return ((java.nio.channels.ReadableByteChannel) reader).read(buffer);
        }

        void close() throws Exception {
            for (AutoCloseable part : parts) {
                part.close();
            }
        }
    }

    private Line pipe() throws IOException {
        Pipe pipe = provider.openPipe();
        pipe.source().configureBlocking(false);
        return new Line(pipe.sink(), pipe.source(), List.of(pipe.sink(), pipe.source()));
    }

    private Line datagram() throws IOException {
        DatagramChannel reader = provider.openDatagramChannel().bind(Connection.loopback(0));
        DatagramChannel writer = provider.openDatagramChannel(StandardProtocolFamily.INET);
        writer.connect(reader.getLocalAddress());
        reader.connect(writer.getLocalAddress());
        reader.configureBlocking(false);
        return new Line(writer, reader, List.of(writer, reader));
    }

    private Line unixDomain() throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("socket"));
        try (ServerSocketChannel listener = provider.openServerSocketChannel(StandardProtocolFamily.UNIX)) {
            listener.bind(address);
            SocketChannel writer = provider.openSocketChannel(StandardProtocolFamily.UNIX);
            writer.connect(address);
            SocketChannel reader = listener.accept();
            reader.configureBlocking(false);
            return new Line(writer, reader, List.of(writer, reader));
        } finally {
            Files.deleteIfExists(address.getPath());
        }
    }

    private static Line defaultProvider() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(Connection.loopback(0))) {
            SocketChannel writer = SocketChannel.open(listener.getLocalAddress());
            SocketChannel reader = listener.accept();
            reader.configureBlocking(false);
            return new Line(writer, reader, List.of(writer, reader));
        }
    }

    private List<Line> lines() throws IOException {
        return List.of(pipe(), datagram(), unixDomain(), defaultProvider());
    }

    @Test
    void shouldSelectEachKindAlone() throws Exception {
        for (Line line : lines()) {
            SelectionKey key = line.reader().register(selector, SelectionKey.OP_READ, line);
            assertThat(key.channel()).isSameAs(line.reader());
            assertThat(key.selector()).isSameAs(selector);
            assertThat(line.reader().keyFor(selector)).isSameAs(key);
            assertThat(line.reader().register(selector, SelectionKey.OP_READ, line))
                    .isSameAs(key);
            assertThat(selector.selectNow()).isZero();
            expectData(line, key);
            key.cancel();
            assertThat(selector.selectNow()).isZero();
            assertThat(line.reader().isRegistered()).isFalse();
            line.close();
        }
        assertThat(selector.keys()).isEmpty();
    }

    private void expectData(Line line, SelectionKey key) throws IOException {
        line.writer().write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        for (int round = 0; round < 2; round++) {
            selector.selectedKeys().clear();
            assertThat(selector.select(PATIENCE_MS)).isEqualTo(1);
            assertThat(selector.selectedKeys()).containsExactly(key);
            assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_READ);
        }
        assertThat(line.read(ByteBuffer.allocate(10))).isEqualTo(3);
        selector.selectedKeys().clear();
        assertThat(selector.selectNow()).isZero();
    }

    @Test
    void shouldSelectAllKindsTogetherWithConnections() throws Exception {
        List<Line> lines = lines();
        try (Connection one = Connection.open(setting);
                Connection two = Connection.open(setting)) {
            SelectionKey keyOne = one.channel().register(selector, SelectionKey.OP_READ);
            SelectionKey keyTwo = two.channel().register(selector, SelectionKey.OP_READ);
            for (Line line : lines) {
                line.reader().register(selector, SelectionKey.OP_READ);
            }
            for (int round = 0; round < 3; round++) {
                for (Line line : lines) {
                    expectData(line, line.reader().keyFor(selector));
                }
                expectFrom(one, keyOne);
                expectFrom(two, keyTwo);
            }
            for (Line line : lines) {
                line.close();
            }
            selector.selectNow();
            assertThat(selector.keys()).containsExactlyInAnyOrder(keyOne, keyTwo);
            expectFrom(one, keyOne);
        }
    }

    private void expectFrom(Connection connection, SelectionKey key) throws IOException {
        connection.peer("write 100");
        assertThat(selector.select(PATIENCE_MS)).isEqualTo(1);
        assertThat(selector.selectedKeys()).containsExactly(key);
        connection.read(100);
        selector.selectedKeys().clear();
        assertThat(selector.selectNow()).isZero();
    }

    @Test
    void shouldSleepForBothKindsAtOnce() throws Exception {
        Line line = pipe();
        try (Connection connection = Connection.open(setting)) {
            SelectionKey ofConnection = connection.channel().register(selector, SelectionKey.OP_READ);
            SelectionKey ofLine = line.reader().register(selector, SelectionKey.OP_READ);
            for (int round = 0; round < 3; round++) {
                Attempt<Integer> select = Attempt.start(() -> selector.select()).awaitInside("select");
                line.writer().write(ByteBuffer.wrap(new byte[1]));
                assertThat(select.result()).isEqualTo(1);
                assertThat(selector.selectedKeys()).containsExactly(ofLine);
                assertThat(line.read(ByteBuffer.allocate(10))).isEqualTo(1);
                selector.selectedKeys().clear();
                select = Attempt.start(() -> selector.select()).awaitInside("select");
                connection.peer("write 10");
                assertThat(select.result()).isEqualTo(1);
                assertThat(selector.selectedKeys()).containsExactly(ofConnection);
                connection.read(10);
                selector.selectedKeys().clear();
            }
        }
        line.close();
    }

    @Test
    void shouldLeaveNoDescriptorBehind() throws Exception {
        long pid = ProcessHandle.current().pid();
        openAndCloseAll();
        int before = Proc.descriptors(pid);
        for (int round = 0; round < 20; round++) {
            openAndCloseAll();
        }
        assertThat(Proc.descriptors(pid)).isLessThan(before + 20);
    }

    /** Closes the channels while they are registered, as careless programs do. */
    private void openAndCloseAll() throws Exception {
        for (Line line : lines()) {
            line.reader().register(selector, SelectionKey.OP_READ);
            selector.selectNow();
            line.close();
        }
        selector.selectNow();
        assertThat(selector.keys()).isEmpty();
    }

    /** Another thread closes them, at any moment of a selection. */
    @Test
    void shouldLeaveNoDescriptorBehindWhenClosedDuringASelection() throws Exception {
        long pid = ProcessHandle.current().pid();
        openAndCloseAll();
        int before = Proc.descriptors(pid);
        AtomicBoolean over = new AtomicBoolean();
        Attempt<Void> selecting = Attempt.start(() -> {
            while (!over.get()) {
                selector.select(1);
            }
            return null;
        });
        for (int round = 0; round < 20; round++) {
            for (Line line : lines()) {
                line.reader().register(selector, SelectionKey.OP_READ);
                line.close();
            }
        }
        over.set(true);
        selecting.result();
        selector.selectNow();
        assertThat(selector.keys()).isEmpty();
        assertThat(Proc.descriptors(pid)).isLessThan(before + 20);
    }

    @Test
    void shouldAcceptFromAListenerOfTheDefaultProvider() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(Connection.loopback(Ports.free()));
            listener.configureBlocking(false);
            SelectionKey key = listener.register(selector, SelectionKey.OP_ACCEPT);
            assertThat(selector.selectNow()).isZero();
            try (SocketChannel client = provider.openSocketChannel()) {
                client.connect(listener.getLocalAddress());
                assertThat(selector.select(PATIENCE_MS)).isEqualTo(1);
                assertThat(key.isAcceptable()).isTrue();
                listener.accept().close();
            }
        }
    }
}
