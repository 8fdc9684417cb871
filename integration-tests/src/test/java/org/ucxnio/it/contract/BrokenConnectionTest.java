package org.ucxnio.it.contract;

import static org.ucxnio.it.contract.Sides.bytes;
import static org.ucxnio.it.contract.Sides.room;
import static org.ucxnio.it.contract.Sides.settle;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;

/** What a channel tells of a peer that reset the connection, or closed it and is written to all the same. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Sides#all")
class BrokenConnectionTest {
    @Parameter
    private Sides sides;

    private void expectLikeTheJdk(String name, Transcript.Ends ends) throws Exception {
        Transcript.expectEitherEndLikeTheJdk("broken " + name, sides, ends);
    }

    private static void reset(SocketChannel channel) throws Exception {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
        settle();
    }

    private static void read(Transcript t, SocketChannel channel) {
        t.call("read", () -> channel.read(room(3)));
    }

    private static void write(Transcript t, SocketChannel channel) throws Exception {
        t.call("write", () -> channel.write(bytes("x")));
        settle();
    }

    @Test
    void shouldTellReadersOfAReset() throws Exception {
        expectLikeTheJdk("read", (t, near, far) -> {
            reset(far);
            read(t, near);
            read(t, near);
            t.call("scatter", () -> near.read(new ByteBuffer[] {room(3), room(3)}));
            t.call("read stream", () -> near.socket().getInputStream().read());
            write(t, near);
            write(t, near);
            t.call("shut input down", () -> near.shutdownInput() == near);
            t.call("shut output down", () -> near.shutdownOutput() == near);
            t.call("open", near::isOpen);
            t.call("connected", near::isConnected);
            t.call("text", near::toString);
        });
    }

    @Test
    void shouldTellStreamsOfAReset() throws Exception {
        for (int timeout : new int[] {0, 5000}) {
            expectLikeTheJdk("stream " + timeout, (t, near, far) -> {
                near.socket().setSoTimeout(timeout);
                InputStream in = near.socket().getInputStream();
                OutputStream out = near.socket().getOutputStream();
                reset(far);
                t.call("read", in::read);
                t.call("read", in::read);
                t.call("available", in::available);
                t.act("write", () -> out.write(1));
                t.act("write", () -> out.write(1));
            });
        }
    }

    @Test
    void shouldStillReadWhatCameBeforeAReset() throws Exception {
        expectLikeTheJdk("rest", (t, near, far) -> {
            far.write(bytes("abcdef"));
            settle();
            read(t, near);
            reset(far);
            read(t, near);
            read(t, near);
        });
    }

    @Test
    void shouldTellAWriterFirst() throws Exception {
        expectLikeTheJdk("write first", (t, near, far) -> {
            near.write(bytes("unread"));
            settle();
            far.close();
            settle();
            write(t, near);
            write(t, near);
            read(t, near);
        });
    }

    @Test
    void shouldTakeOneWriteToAPeerThatHasClosed() throws Exception {
        expectLikeTheJdk("closed", (t, near, far) -> {
            far.close();
            settle();
            read(t, near);
            write(t, near);
            write(t, near);
            write(t, near);
            read(t, near);
        });
        expectLikeTheJdk("closed, not read", (t, near, far) -> {
            far.close();
            settle();
            write(t, near);
            write(t, near);
            read(t, near);
            t.call("shut output down", () -> near.shutdownOutput() == near);
        });
    }

    @Test
    void shouldBeResetByAPeerThatLeavesBytesUnread() throws Exception {
        expectLikeTheJdk("unread", (t, near, far) -> {
            near.write(bytes("abc"));
            settle();
            far.close();
            settle();
            read(t, near);
            write(t, near);
            read(t, near);
        });
        expectLikeTheJdk("unread, after shutdown", (t, near, far) -> {
            near.write(bytes("abc"));
            settle();
            far.shutdownInput();
            read(t, far);
            far.close();
            settle();
            read(t, near);
        });
        expectLikeTheJdk("after shutdown", (t, near, far) -> {
            far.shutdownInput();
            write(t, near);
            read(t, far);
            far.write(bytes("yo"));
            read(t, near);
            // What is written to a channel that was not used yet waits on the writer's side until it is.
            settle();
            far.close();
            settle();
            read(t, near);
        });
    }

    @Test
    void shouldTellABlockedReader() throws Exception {
        expectLikeTheJdk("blocked", (t, near, far) -> {
            Attempt<String> read = Attempt.start(() -> Transcript.answer(() -> near.read(room(3))));
            read.awaitInside("read");
            reset(far);
            t.note(read.result());
            read(t, near);
        });
    }

    @Test
    void shouldReturnFromAWriteThatHadBegun() throws Exception {
        expectLikeTheJdk("blocked write", (t, near, far) -> {
            Attempt<Boolean> write = Attempt.start(() -> near.write(ByteBuffer.allocateDirect(64 << 20)) > 0);
            write.awaitInside("write");
            far.close();
            t.note(write.result());
            t.note(Transcript.answer(() -> near.write(bytes("x"))).startsWith("java.io.IOException "));
        });
    }
}
