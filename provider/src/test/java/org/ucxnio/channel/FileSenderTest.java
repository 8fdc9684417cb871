package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.jdk.TransferHook;
import org.ucxnio.link.Lane;

/** Files that the kernel copies, where {@code FileChannel.transferTo} asks first. */
@Timeout(30)
class FileSenderTest {
    private static final int BYTES = 1 << 20;
    private static final int MANY = 1000;
    private static final int SMALL = 100;

    @TempDir
    private Path directory;

    private final byte[] content = new byte[BYTES];
    private FileChannel file;

    @BeforeEach
    void open() throws IOException {
        new Random(BYTES).nextBytes(content);
        file = FileChannel.open(Files.write(directory.resolve("file"), content));
    }

    @AfterEach
    void close() throws IOException {
        file.close();
    }

    private void expect(SocketChannel from, int position, int count) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(count);
        while (target.hasRemaining()) {
            assertThat(from.read(target)).isPositive();
        }
        assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(content, position, count));
    }

    private void write(SocketChannel to, int position, int count) throws IOException {
        assertThat(to.write(ByteBuffer.wrap(content, position, count))).isEqualTo(count);
    }

    private void expectDeclined(UcxSocketChannel to) throws IOException {
        assertThat(to.transfer(file, 0, BYTES)).isEqualTo(TransferHook.DECLINED);
    }

    /** What the switch tells the peer would be wrong otherwise, and bytes of the file taken for tokens. */
    @Test
    void shouldCountAsWritten() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            write(pair.client, 0, 7);
            assertThat(pair.client.transfer(file, 7, 5000)).isEqualTo(5000);
            pair.pair();
            write(pair.client, 5007, 100);
            expect(pair.server, 0, 5107);
            assertThat(pair.client.stream.writesKernelAlone()).isFalse();
        }
    }

    @Test
    void shouldTellWhatAFileLacks() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            pair.client.configureBlocking(false);
            assertThat(pair.client.transfer(file, BYTES, 10)).isZero();
            assertThat(pair.client.transfer(file, BYTES - 10, BYTES)).isEqualTo(10);
            assertThatThrownBy(() -> pair.client.transfer(file, -1, 10)).isInstanceOf(IllegalArgumentException.class);
            file.close();
            assertThatThrownBy(() -> pair.client.transfer(file, 0, 10)).isInstanceOf(ClosedChannelException.class);
            assertThat(pair.client.isOpen()).isTrue();
            expect(pair.server, BYTES - 10, 10);
        }
    }

    @Test
    void shouldLeaveToWritesWhatTheyTellBetter() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            synchronized (pair.client.blockingLock()) {
                expectDeclined(pair.client);
            }
            pair.client.shutdownOutput();
            expectDeclined(pair.client);
            pair.server.close();
            expectDeclined(pair.server);
        }
    }

    @Test
    void shouldGoBackToTcpForManyLargeOnes() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            pair.pair();
            write(pair.client, 0, SMALL);
            int calls = 0;
            long sent;
            do {
                sent = pair.client.transfer(file, SMALL, BYTES - SMALL);
                calls++;
            } while (sent == TransferHook.DECLINED && calls < MANY);
            assertThat(calls).isGreaterThan(1);
            expect(pair.server, 0, SMALL + (int) sent);
            // What the peer sends stays in its ring.
            write(pair.server, 0, SMALL);
            expect(pair.client, 0, SMALL);
            assertThat(pair.plainConnections.byReason()).isEmpty();
        }
    }

    @Test
    void shouldTellWhyItHasGoneBack() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            Lane[] lanes = pair.joinedRings();
            assertThat(pair.serverEnd.hear(lanes[1]) && pair.clientEnd.hear(lanes[0]))
                    .isTrue();
            pair.clientEnd.speak(lanes[0]);
            write(pair.client, 0, SMALL);
            expect(pair.server, 0, SMALL);
            int calls = 0;
            while (pair.client.transfer(file, 0, BYTES) == TransferHook.DECLINED && calls < MANY) {
                calls++;
            }
            String reason = new SentFiles(true).copied(MovePolicy.BULK_BYTES, 1);
            assertThat(pair.plainConnections.byReason()).containsOnlyKeys(reason);
            expect(pair.server, 0, SMALL);
            assertThat(pair.plainConnections.byReason()).containsOnlyKeys(reason, "the peer went back to TCP");
        }
    }

    @Test
    void shouldNotGoBackBeforeItHasToldOfTheSwitch() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            Lane[] lanes = pair.joinedRings();
            assertThat(pair.serverEnd.hear(lanes[1]) && pair.clientEnd.hear(lanes[0]))
                    .isTrue();
            pair.client.configureBlocking(false);
            ByteBuffer much = ByteBuffer.allocateDirect(BYTES);
            while (pair.client.write(much.clear()) > 0) {
                // until the socket has no room
            }
            while (pair.client.write(ByteBuffer.allocate(1)) > 0) {
                // until it has none for a single byte
            }
            pair.clientEnd.speak(lanes[0]);
            pair.client.write(much.clear());
            assertThat(pair.client.stream.out.isTokenOwed()).isTrue();
            for (int call = 0; call < 2 * SentFiles.MANY; call++) {
                expectDeclined(pair.client);
            }
            assertThat(pair.client.stream.out.isLinked()).isTrue();
        }
    }

    @Test
    void shouldStayInARingForSeldomOnes() throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            pair.pair();
            write(pair.client, 0, 1);
            for (int i = 0; i < 2; i++) {
                for (int call = 1; call < SentFiles.MANY; call++) {
                    expectDeclined(pair.client);
                }
                Thread.sleep(TimeUnit.NANOSECONDS.toMillis(SentFiles.SOON_NANOS) + 1);
            }
        }
    }

    @Test
    void shouldLeaveConnectionsToOtherHostsAsTheyAre() {
        SentFiles files = new SentFiles(false);
        assertThat(files.copied(BYTES, 1)).isNull();
        assertThat(files.reluctance()).isNull();
    }

    @Test
    void shouldStayInARingForSmallOnes() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            pair.pair();
            write(pair.client, 0, 1);
            for (int i = 0; i < MANY; i++) {
                assertThat(pair.client.transfer(file, 0, 60_000)).isEqualTo(TransferHook.DECLINED);
            }
            expect(pair.server, 0, 1);
        }
    }

    @Test
    void shouldStayWithMessages() throws Exception {
        try (ChannelPair pair = new ChannelPair(TestMessages.instance())) {
            pair.pair();
            write(pair.client, 0, 1);
            for (int i = 0; i < MANY; i++) {
                expectDeclined(pair.client);
            }
        }
    }

    @Test
    void shouldStayWithTcpWhereFilesAreMostOfIt() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            assertThat(pair.clientEnd.reluctance()).isNull();
            pair.client.transfer(file, 0, SMALL);
            assertThat(pair.clientEnd.reluctance()).isNull();
            expect(pair.server, 0, SMALL);
            pair.client.transfer(file, 0, 60_000);
            expect(pair.server, 0, 60_000);
            assertThat(pair.clientEnd.reluctance()).contains("files");
            assertThat(pair.plainConnections.byReason()).containsKey(pair.clientEnd.reluctance());
            assertThat(pair.serverEnd.reluctance()).isNull();
            for (int i = 0; i < SMALL; i++) {
                write(pair.client, i, 1);
            }
            pair.client.transfer(file, SMALL, 1);
            expect(pair.server, 0, SMALL + 1);
            assertThat(pair.clientEnd.reluctance()).isNull();
        }
    }

    /** Else they would go in a loop of calls that move nothing, or wait with their carriers. */
    @Test
    void shouldHaveVirtualThreadsWaitInWrites() throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            FutureTask<Long> filled = new FutureTask<>(() -> {
                long sent = 0;
                long more;
                while ((more = pair.client.transfer(file, 0, BYTES)) > 0) {
                    sent += more;
                }
                assertThat(more).isEqualTo(TransferHook.DECLINED);
                return sent;
            });
            Thread.startVirtualThread(filled);
            assertThat(filled.get(10, TimeUnit.SECONDS)).isPositive();
        }
    }

    @Test
    void shouldKeepShortSegmentsBackAgain() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            pair.client.write(ByteBuffer.allocate(FilePieces.BYTES));
            assertThat(pair.client.kernel.channel().getOption(StandardSocketOptions.TCP_NODELAY))
                    .isTrue();
            pair.client.transfer(file, 0, SMALL);
            assertThat(pair.client.kernel.channel().getOption(StandardSocketOptions.TCP_NODELAY))
                    .isFalse();
        }
    }
}
