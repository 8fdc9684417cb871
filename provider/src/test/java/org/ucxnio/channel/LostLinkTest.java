package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.ucxnio.link.Lane;
import org.ucxnio.link.Source;

/** The link of a connection fails, with the peer's process or without it. */
class LostLinkTest extends JoinedRingsFixture {
    /** Several reads. */
    private static final int COUNT = 300_000;

    /** The server may be switched to; the client, which asked for that, does not know it yet. */
    private void heard() throws IOException {
        assertThat(pair.serverEnd.hear(lanes[1])).isTrue();
    }

    private void breakServersLink() {
        ((KernelStream) pair.serverEnd).onBroken();
    }

    private CompletableFuture<Void> writeAndClose() {
        return CompletableFuture.runAsync(() -> {
            try {
                pair.client.write(ByteBuffer.allocate(COUNT));
                pair.client.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private int readToEnd() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
        int count = 0;
        int total = 0;
        while (count >= 0) {
            total += count;
            count = pair.server.read(buffer.clear());
        }
        return total;
    }

    /** The process at the other end has written, closed and ended as the two were paired. */
    @Test
    void shouldReadToTheEndWhatIsInTcpAndNothingElse() throws Exception {
        heard();
        CompletableFuture<Void> writer = writeAndClose();
        pair.memory.alive = false;
        breakServersLink();

        assertThat(readToEnd()).isEqualTo(COUNT);
        writer.get();
        assertThat(pair.serverEnd.speak(lanes[1])).as("takes the link no more").isFalse();
    }

    @Test
    void shouldGoOnOverTcpInBothDirections() throws Exception {
        heard();
        pair.memory.alive = false;
        breakServersLink();

        pair.server.write(ByteBuffer.allocate(10));
        assertThat(pair.client.read(ByteBuffer.allocate(20))).isEqualTo(10);
        pair.client.write(ByteBuffer.allocate(10));
        assertThat(pair.server.read(ByteBuffer.allocate(20))).isEqualTo(10);
        assertThat(pair.plainConnections.byReason())
                .as("people are told")
                .containsEntry("the way to the peer failed before it was used", 1);
    }

    @Test
    void shouldGiveTheLinkBack() throws Exception {
        AtomicInteger left = new AtomicInteger();
        Lane watched = LateTokenTest.instead(Lane.class, (proxy, method, arguments) -> {
            Object result = method.invoke(lanes[1], arguments);
            return result instanceof Source source ? counted(source, left) : result;
        });
        assertThat(pair.serverEnd.hear(watched)).isTrue();
        pair.memory.alive = false;
        breakServersLink();
        breakServersLink();

        assertThat(left).hasValue(1);
    }

    /** A source that counts how often it is left. */
    private static Source counted(Source source, AtomicInteger left) {
        return LateTokenTest.instead(Source.class, (proxy, method, arguments) -> {
            left.addAndGet(method.getName().equals("leave") ? 1 : 0);
            return method.invoke(source, arguments);
        });
    }

    /** A link tells of the end of a process sooner than its session, as it may be. */
    @Test
    void shouldWaitForTheEndOfTheSession() throws Exception {
        heard();
        breakServersLink();
        pair.memory.alive = false;
        TimeUnit.MILLISECONDS.sleep(20);

        writeAndClose();
        assertThat(readToEnd()).isEqualTo(COUNT);
    }

    /** Who knows what it has written to the link? The end of the stream this is not. */
    @Test
    void shouldBeResetWhereThePeerLives() throws Exception {
        heard();
        CompletableFuture<Integer> read = CompletableFuture.supplyAsync(() -> {
            try {
                return pair.server.read(ByteBuffer.allocate(1));
            } catch (SocketException e) {
                return -2;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        breakServersLink();

        assertThat(read.get()).as("-1 would be the end").isEqualTo(-2);
        assertThat(pair.client.read(ByteBuffer.allocate(1)))
                .as("the peer hears of it")
                .isEqualTo(-1);
    }

    @Test
    void shouldBeResetWhereAStreamHasLeftTcp() throws Exception {
        heard();
        assertThat(pair.clientEnd.hear(lanes[0])).isTrue();
        pair.serverEnd.speak(lanes[1]);
        await().until(() -> ((KernelStream) pair.serverEnd).hasSwitched());
        pair.memory.alive = false;
        breakServersLink();

        assertThatThrownBy(() -> pair.server.read(ByteBuffer.allocate(1)))
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
    }

    @Test
    void shouldDeliverWhatAClosedChannelHasWritten() throws Exception {
        heard();
        pair.server.write(ByteBuffer.allocate(COUNT));
        pair.server.close();
        breakServersLink();

        ByteBuffer all = ByteBuffer.allocate(COUNT + 1);
        while (pair.client.read(all) >= 0) {
            assertThat(all.hasRemaining()).isTrue();
        }
        assertThat(all.position()).isEqualTo(COUNT);
    }
}
