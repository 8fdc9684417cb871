package org.ucxnio.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.jdk.KernelSockets;

/** The stream that a socket carries behind the last token is told from the tokens, however the bytes arrive. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TokensTest {
    private static final int TOKENS = 150;
    private static final int BYTES = 150;

    private SocketChannel near;
    private SocketChannel far;

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            near = SocketChannel.open(listener.getLocalAddress());
            far = listener.accept();
        }
    }

    @AfterEach
    void close() throws IOException {
        near.close();
        far.close();
    }

    /** Bytes of the stream have the values of tokens, too. */
    private static byte at(int position) {
        return (byte) (position % 5 - 1);
    }

    private static void sendStream(SocketChannel to, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        for (int i = 0; i < count; i++) {
            bytes.put(at(i));
        }
        to.write(bytes.flip());
    }

    /** The peer of a side that is closed writes until it hears of that, and the side that drains would never come to tell it. */
    @Test
    void shouldNotDrainForAsLongAsThePeerWrites() throws IOException {
        int atOnce = 16 * Tokens.DRAIN_READS;
        near.write(ByteBuffer.allocate(3 * atOnce));
        far.configureBlocking(false);
        Tokens tokens = new Tokens(far, KernelSockets.HAS_ROOM);
        await().until(() -> KernelSockets.unreadBytes(far) == 3 * atOnce);

        for (int left = 2 * atOnce; left >= 0; left -= atOnce) {
            tokens.drain();
            assertThat(KernelSockets.unreadBytes(far)).isEqualTo(left);
        }
    }

    /** What the reader still gets, of what the tokens have kept and of the socket. */
    private void expectStream(Tokens tokens, int count, Random random) throws IOException {
        int position = 0;
        while (tokens.behindLast() > 0) {
            ByteBuffer[] targets = {ByteBuffer.allocate(random.nextInt(3)), ByteBuffer.allocate(1 + random.nextInt(20))
            };
            int read = tokens.readBehind(targets, 0, 2);
            assertThat(read).isPositive();
            position = check(targets[0].flip(), position);
            position = check(targets[1].flip(), position);
        }
        far.configureBlocking(true);
        while (position < count) {
            ByteBuffer target = ByteBuffer.allocate(count - position);
            far.read(target);
            position = check(target.flip(), position);
        }
        assertThat(position).isEqualTo(count);
    }

    private static int check(ByteBuffer bytes, int from) {
        int position = from;
        while (bytes.hasRemaining()) {
            assertThat(bytes.get()).as("byte %d", position).isEqualTo(at(position));
            position++;
        }
        return position;
    }

    @RepeatedTest(30)
    void shouldKeepWhatIsBehindTheLastForEveryWayToTakeThemIn() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Tokens sender = new Tokens(near, KernelSockets::hasRoom);
        Tokens receiver = new Tokens(far, KernelSockets::hasRoom);
        far.configureBlocking(false);
        int sent = random.nextInt(TOKENS);
        for (int i = 0; i < sent; i++) {
            assertThat(sender.send()).isTrue();
            if (random.nextInt(20) == 0) {
                receiver.drain();
            }
        }
        assertThat(receiver.isLast()).as("seed %d", seed).isFalse();
        assertThat(sender.sendLast()).isTrue();
        assertThat(sender.send()).isTrue();
        int count = random.nextInt(BYTES);
        sendStream(near, count);
        int way = random.nextInt(4);
        far.configureBlocking(way >= 2);
        while (!receiver.isLast()) {
            if (way == 0) {
                receiver.drain();
            } else if (way == 1 || way == 2) {
                receiver.takeIn();
            } else {
                receiver.await(Long.MAX_VALUE);
            }
        }
        // Nothing that comes later is taken in.
        receiver.drain();
        receiver.takeIn();
        expectStream(receiver, count, random);
    }

    @Test
    void shouldKeepWhatAReadOfTheStreamHasFoundAtEveryByte() throws IOException {
        for (int before = 0; before < 5; before++) {
            for (int cut = 0; cut <= 20; cut++) {
                ByteBuffer all =
                        ByteBuffer.allocate(before + 21).put(new byte[before]).put((byte) 1);
                for (int i = 0; i < 20; i++) {
                    all.put(at(i));
                }
                Tokens receiver = new Tokens(far, KernelSockets::hasRoom);
                int first = Math.min(before + cut, all.capacity());
                receiver.take(all.slice(0, first));
                receiver.take(all.slice(first, all.capacity() - first));
                assertThat(receiver.isLast()).isTrue();
                assertThat(receiver.behindLast()).isEqualTo(20);
                ByteBuffer target = ByteBuffer.allocate(30);
                assertThat(receiver.readBehind(new ByteBuffer[] {target}, 0, 1)).isEqualTo(20);
                assertThat(check(target.flip(), 0)).isEqualTo(20);
            }
        }
    }

    @Test
    void shouldTakeInNoMoreThanTheFirstReadBehindTheLast() throws IOException {
        Tokens sender = new Tokens(near, KernelSockets::hasRoom);
        Tokens receiver = new Tokens(far, KernelSockets::hasRoom);
        far.configureBlocking(false);
        sender.send();
        sender.sendLast();
        sendStream(near, 50_000);
        while (!receiver.isLast()) {
            receiver.drain();
        }
        int kept = receiver.behindLast();
        for (int i = 0; i < 10; i++) {
            receiver.drain();
        }
        assertThat(receiver.behindLast()).isEqualTo(kept).isLessThan(64);
    }

    @Test
    void shouldNotWaitForRoomBehindTheStream() throws IOException {
        Tokens sender = new Tokens(near, KernelSockets::hasRoom);
        near.configureBlocking(false);
        long sent = 0;
        for (int count = 1; count > 0; sent += count) {
            count = near.write(ByteBuffer.allocate(1 << 20));
        }
        near.configureBlocking(true);
        assertThat(sender.sendBehindStream()).isFalse();
        ByteBuffer target = ByteBuffer.allocate((int) sent);
        while (target.hasRemaining()) {
            far.read(target);
        }
        while (!sender.sendBehindStream()) {
            Thread.onSpinWait();
        }
        assertThat(far.read(target.clear())).isEqualTo(1);
    }

    /** The kernel tells one call of a reset: where that was a token's, the reader who finds the end has to know at once. */
    @RepeatedTest(200)
    void shouldKnowOfAResetThatATokenWasToldOfBeforeTheReaderFindsTheEnd() throws Exception {
        Tokens tokens = new Tokens(near, KernelSockets::hasRoom);
        far.setOption(StandardSocketOptions.SO_LINGER, 0);
        far.close();
        CyclicBarrier start = new CyclicBarrier(2);
        Thread sender = Thread.ofPlatform().start(() -> {
            try {
                start.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
            tokens.send();
        });
        start.await();
        assertThat(isToldOfReset() || tokens.isReset()).isTrue();
        sender.join();
    }

    private boolean isToldOfReset() {
        try {
            return near.read(ByteBuffer.allocate(1)) >= 0;
        } catch (IOException e) {
            return true;
        }
    }
}
