package org.ucxnio.posix.ffm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.posix.Posix;

@Timeout(60)
class SocketOwnerTest {
    private static final int NOBODY = 65534;

    private final Posix posix = new FfmPosix();
    private final int self = posix.effectiveUserId();

    private static InetSocketAddress local(SocketChannel channel) throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    private static InetSocketAddress remote(SocketChannel channel) throws IOException {
        return (InetSocketAddress) channel.getRemoteAddress();
    }

    private static SocketOwner.Query query(InetSocketAddress local, InetSocketAddress remote) {
        return new SocketOwner.Query(
                SocketOwner.mapped(local.getAddress()),
                local.getPort(),
                SocketOwner.mapped(remote.getAddress()),
                remote.getPort(),
                0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void shouldNameTheOwnerOfBothEnds(String host) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(host, 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
            assertThat(posix.ownerOf(local(client), remote(client))).isEqualTo(self);
            assertThat(posix.ownerOf(remote(client), local(client)))
                    .as("a connection nobody has accepted")
                    .isEqualTo(-1);
            try (SocketChannel accepted = server.accept()) {
                assertThat(posix.ownerOf(local(accepted), remote(accepted))).isEqualTo(self);
                assertThat(ProcNetTcp.find(query(local(client), remote(client))))
                        .isEqualTo(self);
                assertThat(ProcNetTcp.find(query(local(accepted), remote(accepted))))
                        .isEqualTo(self);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.1", "::1, ::1", "::, 127.0.0.1", "::, ::1", "0.0.0.0, 127.0.0.2"})
    void shouldNumberListeners(String bound, String asked) throws IOException {
        int port;
        long first;
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(bound, 0))) {
            port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            first = posix.listenerId(new InetSocketAddress(asked, port));
            assertThat(first).isNotZero();
            try (SocketChannel client = SocketChannel.open(new InetSocketAddress(asked, port))) {
                assertThat(posix.listenerId(new InetSocketAddress(asked, port)))
                        .as("the same while %s is connected", client)
                        .isEqualTo(first);
                assertThat(posix.listenerId(local(client))).as("no listener").isZero();
            }
        }
        assertThat(posix.listenerId(new InetSocketAddress(asked, port)))
                .as("closed")
                .isZero();
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(bound, port))) {
            assertThat(posix.listenerId(new InetSocketAddress(asked, port)))
                    .as("another on port %d", port)
                    .isNotZero()
                    .isNotEqualTo(first);
            assertThat(server.isOpen()).isTrue();
        }
    }

    @Test
    void shouldFindSocketsOfEitherFamily() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.INET)
                        .bind(new InetSocketAddress("127.0.0.1", 0));
                SocketChannel client = SocketChannel.open(StandardProtocolFamily.INET)) {
            client.connect(server.getLocalAddress());
            try (SocketChannel accepted = server.accept()) {
                assertThat(posix.ownerOf(local(client), remote(client))).isEqualTo(self);
                assertThat(posix.ownerOf(local(accepted), remote(accepted))).isEqualTo(self);
            }
        }
    }

    @Test
    void shouldNotKnowSocketsThatAreNotThere() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
            InetSocketAddress listening = (InetSocketAddress) server.getLocalAddress();
            InetSocketAddress nobody = new InetSocketAddress("127.0.0.1", 1);
            // A look-up that finds the listener instead must not count.
            assertThat(posix.ownerOf(listening, nobody)).isEqualTo(-1);
            assertThat(posix.ownerOf(nobody, listening)).isEqualTo(-1);
            assertThat(posix.ownerOf(InetSocketAddress.createUnresolved("host", 1), listening))
                    .isEqualTo(-1);
        }
    }

    @Test
    void shouldNotCountClosedSockets() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
            SocketChannel client = SocketChannel.open(server.getLocalAddress());
            InetSocketAddress near = local(client);
            InetSocketAddress far = remote(client);
            try (SocketChannel accepted = server.accept()) {
                client.close();
                assertThat(posix.ownerOf(near, far)).as("closed, not yet gone").isEqualTo(-1);
                assertThat(posix.ownerOf(local(accepted), remote(accepted))).isEqualTo(self);
            }
            assertThat(posix.ownerOf(near, far)).as("closed on both sides").isEqualTo(-1);
        }
    }

    @Test
    void shouldNameAnotherUser() throws Exception {
        assumeTrue(self == 0, "needs root, to start a process of another user");
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            Process child = start("exec 3<>/dev/tcp/127.0.0.1/" + port + "; read");
            try (SocketChannel accepted = server.accept()) {
                assertThat(posix.ownerOf(remote(accepted), local(accepted))).isEqualTo(NOBODY);
                assertThat(posix.ownerOf(local(accepted), remote(accepted))).isZero();
                assertThat(ProcNetTcp.find(query(remote(accepted), local(accepted))))
                        .isEqualTo(NOBODY);
            } finally {
                child.destroyForcibly().waitFor();
            }
        }
    }

    private static Process start(String script) {
        try {
            return new ProcessBuilder(List.of("setpriv", "--reuid=" + NOBODY, "--clear-groups", "bash", "-c", script))
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "cannot run setpriv: " + e.getMessage());
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldReadTheFormatOfTheKernel() throws IOException {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the sample is of a little-endian machine");
        String four = """
                  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
                   0: 0100007F:1F90 0200007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 12345 1
                   1: 0100007F:1F91 0200007F:C350 06 00000000:00000000 00:00000000 00000000     0        0 0 1
                   2: 0100007F:1F92 0200007F:C350 0A 00000000:00000000 00:00000000 00000000  1000        0 12346 1
                """;
        InetSocketAddress far = new InetSocketAddress("127.0.0.2", 50000);
        assertThat(find(four, new InetSocketAddress("127.0.0.1", 8080), far)).isEqualTo(1000);
        assertThat(find(four, new InetSocketAddress("127.0.0.1", 8081), far)).isEqualTo(-1);
        assertThat(find(four, new InetSocketAddress("127.0.0.1", 8082), far)).isEqualTo(-1);
        String six = """
                  sl  local_address                         remote_address                        st ...
                   0: B80D01200000000067452301EFCDAB89:0050 B80D0120000000000000000001000000:C350 01 00000000:00000000 00:00000000 00000000  7        0 99 1
                """;
        InetAddress address = InetAddress.getByAddress(HexFormat.of().parseHex("20010db8000000000123456789abcdef"));
        assertThat(find(six, new InetSocketAddress(address, 80), new InetSocketAddress("2001:db8::1", 50000)))
                .isEqualTo(7);
    }

    private static int find(String table, InetSocketAddress local, InetSocketAddress remote) throws IOException {
        return ProcNetTcp.find(query(local, remote), new BufferedReader(new StringReader(table)));
    }
}
