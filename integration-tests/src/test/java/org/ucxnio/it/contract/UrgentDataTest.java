package org.ucxnio.it.contract;

import static org.ucxnio.it.contract.Sides.bytes;
import static org.ucxnio.it.contract.Sides.room;
import static org.ucxnio.it.contract.Sides.settle;

import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;

/** Urgent data is read in its place where the receiver wants it inline, and never seen where it does not. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Sides#all")
class UrgentDataTest {
    @Parameter
    private Sides sides;

    private void expectLikeTheJdk(String name, Transcript.Ends ends) throws Exception {
        Transcript.expectEitherEndLikeTheJdk("urgent " + name, sides, ends);
    }

    private static String readAll(SocketChannel channel) throws Exception {
        ByteBuffer buffer = room(1000);
        while (channel.read(buffer) >= 0) {
            // until the end
        }
        return new String(buffer.array(), 0, buffer.position());
    }

    @Test
    void shouldReadItInline() throws Exception {
        expectLikeTheJdk("inline", (t, near, far) -> {
            near.socket().setOOBInline(true);
            t.call("inline", () -> near.socket().getOOBInline());
            far.write(bytes("hello "));
            t.act("send", () -> far.socket().sendUrgentData('U'));
            far.write(bytes(" world "));
            t.act("send", () -> far.socket().sendUrgentData('V' + 0x100));
            far.close();
            t.note(readAll(near));
        });
    }

    @Test
    void shouldThrowItAway() throws Exception {
        expectLikeTheJdk("away", (t, near, far) -> {
            far.write(bytes("hello "));
            t.act("send", () -> far.socket().sendUrgentData('U'));
            far.write(bytes("world"));
            far.close();
            t.note(readAll(near));
        });
    }

    @Test
    void shouldNotBeReadyForWhatIsThrownAway() throws Exception {
        expectLikeTheJdk("ready", (t, near, far) -> {
            near.configureBlocking(false);
            try (Selector selector = near.provider().openSelector()) {
                near.register(selector, SelectionKey.OP_READ);
                t.act("send", () -> far.socket().sendUrgentData('U'));
                settle();
                t.call("select", selector::selectNow);
                t.call("read", () -> near.read(room(10)));
                near.socket().setOOBInline(true);
                far.write(bytes("a"));
                t.act("send", () -> far.socket().sendUrgentData('V'));
                settle();
                t.call("select", selector::selectNow);
                ByteBuffer buffer = room(10);
                t.call("read", () -> near.read(buffer) + near.read(buffer));
                t.note(new String(buffer.array(), 0, buffer.position()));
            }
        });
    }

    @Test
    void shouldFillUpInNonBlockingMode() throws Exception {
        Transcript.expectLikeTheJdk("urgent full", sides, (t, s) -> {
            SocketChannel near = s.pair()[0];
            near.configureBlocking(false);
            int zeros = 0;
            while (zeros < 20) {
                if (near.write(room(100_000)) == 0) {
                    zeros++;
                    Thread.sleep(1);
                }
            }
            t.note(untilRefused(near));
        });
    }

    private static String untilRefused(SocketChannel channel) {
        String answer;
        do {
            answer = Transcript.answer(() -> {
                channel.socket().sendUrgentData(1);
                return "sent";
            });
        } while (answer.equals("sent"));
        return answer;
    }
}
