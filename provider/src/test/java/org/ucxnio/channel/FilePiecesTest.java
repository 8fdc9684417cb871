package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.link.Lane;

/** What {@code FileChannel.transferTo} writes to a socket that keeps short segments back. */
@Timeout(30)
class FilePiecesTest {
    private static final int BYTES = 8 * FilePieces.BYTES;

    @TempDir
    private Path directory;

    /** Whether the kernel's socket sends at once, and whether the channel says so. */
    private static void expectNoDelay(UcxSocketChannel channel, boolean socket, boolean told) throws IOException {
        assertThat(channel.kernel.channel().getOption(StandardSocketOptions.TCP_NODELAY))
                .isEqualTo(socket);
        assertThat(channel.getOption(StandardSocketOptions.TCP_NODELAY)).isEqualTo(told);
    }

    private void transfer(int bytes, UcxSocketChannel channel) throws IOException {
        Path path = Files.write(directory.resolve("file"), new byte[bytes]);
        try (FileChannel file = FileChannel.open(path)) {
            assertThat(file.transferTo(0, bytes, channel)).isEqualTo(bytes);
        }
    }

    private static void receive(UcxSocketChannel channel, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            assertThat(channel.read(buffer)).isPositive();
        }
    }

    @Test
    void shouldNotBeKeptBack() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            transfer(BYTES, pair.client);
            expectNoDelay(pair.client, true, false);
            receive(pair.server, BYTES);
        }
    }

    @Test
    void shouldLeaveTheSocketAsItWasBehindTheLastOne() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            transfer(BYTES + 1, pair.client);
            expectNoDelay(pair.client, false, false);
            transfer(BYTES, pair.client);
            pair.client.write(ByteBuffer.allocateDirect(1));
            expectNoDelay(pair.client, false, false);
            receive(pair.server, 2 * BYTES + 2);
        }
    }

    @Test
    void shouldLeaveWhatTheApplicationHasSet() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            pair.client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            transfer(BYTES + 1, pair.client);
            expectNoDelay(pair.client, true, true);
            transfer(BYTES, pair.client);
            pair.client.setOption(StandardSocketOptions.TCP_NODELAY, false);
            transfer(BYTES, pair.client);
            pair.client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            pair.client.write(ByteBuffer.allocateDirect(1));
            expectNoDelay(pair.client, true, true);
            receive(pair.server, 3 * BYTES + 2);
        }
    }

    @Test
    void shouldLeaveASocketThatCarriesTokens() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            transfer(BYTES, pair.client);
            pair.pair();
            pair.client.write(ByteBuffer.allocateDirect(1));
            receive(pair.server, BYTES + 1);
            expectNoDelay(pair.client, true, false);
            transfer(BYTES + 1, pair.client);
            receive(pair.server, BYTES + 1);
            expectNoDelay(pair.client, true, false);
        }
    }

    @Test
    void shouldLeaveASocketThatCarriesTokensTheOtherWay() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            transfer(BYTES, pair.server);
            Lane[] lanes = pair.joinedRings();
            assertThat(pair.serverEnd.hear(lanes[1]) && pair.clientEnd.hear(lanes[0]))
                    .isTrue();
            pair.clientEnd.speak(lanes[0]);
            pair.client.write(ByteBuffer.allocateDirect(1));
            receive(pair.server, 1);
            pair.server.write(ByteBuffer.allocateDirect(1));
            expectNoDelay(pair.server, true, false);
            receive(pair.client, BYTES + 1);
        }
    }

    @Test
    void shouldNotTakeOtherBuffersForOne() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            pair.client.write(ByteBuffer.allocateDirect(FilePieces.BYTES));
            pair.client.write(ByteBuffer.allocate(FilePieces.BYTES).limit(FilePieces.BYTES - 1));
            pair.client.write(ByteBuffer.allocate(2 * FilePieces.BYTES).limit(FilePieces.BYTES));
            expectNoDelay(pair.client, false, false);
            receive(pair.server, 3 * FilePieces.BYTES - 1);
        }
    }
}
