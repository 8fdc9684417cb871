package org.ucxnio.it.contract;

import static org.ucxnio.it.contract.Sides.bytes;
import static org.ucxnio.it.contract.Sides.room;
import static org.ucxnio.it.contract.Sides.settle;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;

/** Buffers of all kinds of memory, repeated and very large ones. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Sides#all")
class BufferCallsTest {
    private static final int PIECE_BYTES = 300 << 20;

    @Parameter
    private Sides sides;

    private void expectLikeTheJdk(String name, Transcript.Script script) throws Exception {
        Transcript.expectLikeTheJdk("buffers " + name, sides, script);
    }

    private static int readFully(SocketChannel channel, int count) throws IOException {
        ByteBuffer buffer = room(count);
        Sides.fill(buffer, channel);
        return buffer.position();
    }

    private static String inAnotherThread(Transcript.Call call) throws InterruptedException {
        return Attempt.start(() -> Transcript.answer(call)).result();
    }

    @Test
    void shouldRefuseMemoryOfAClosedArena() throws Exception {
        expectLikeTheJdk("closed arena", (t, s) -> {
            SocketChannel channel = s.pair()[0];
            Arena arena = Arena.ofShared();
            ByteBuffer buffer = arena.allocate(100).asByteBuffer();
            ByteBuffer empty = buffer.slice(0, 0);
            arena.close();
            t.call("write", () -> channel.write(buffer));
            t.call("read", () -> channel.read(buffer));
            t.call("gather", () -> channel.write(new ByteBuffer[] {room(3), buffer}));
            t.call("scatter", () -> channel.read(new ByteBuffer[] {room(3), buffer}));
            t.call("write nothing", () -> channel.write(empty));
            t.call("read nothing", () -> channel.read(empty));
        });
    }

    @Test
    void shouldUseMemoryOfAConfinedArenaInItsThread() throws Exception {
        expectLikeTheJdk("confined arena", (t, s) -> {
            SocketChannel[] pair = s.pair();
            try (Arena arena = Arena.ofConfined()) {
                ByteBuffer buffer = arena.allocate(100).asByteBuffer();
                t.call("write", () -> pair[0].write(buffer));
                t.note(readFully(pair[1], 100));
                buffer.clear();
                t.note(inAnotherThread(() -> pair[0].write(buffer)));
                t.note(inAnotherThread(() -> pair[0].read(buffer)));
                t.note(inAnotherThread(() -> pair[0].write(new ByteBuffer[] {buffer, buffer})));
                t.note(inAnotherThread(() -> pair[0].read(new ByteBuffer[] {buffer})));
                pair[1].write(room(40));
                t.call("read", () -> pair[0].read(buffer));
            }
        });
    }

    @Test
    void shouldUseMemoryOfOtherArenas() throws Exception {
        expectLikeTheJdk("arenas", (t, s) -> {
            SocketChannel[] pair = s.pair();
            try (Arena shared = Arena.ofShared()) {
                ByteBuffer buffer = shared.allocate(100).asByteBuffer();
                t.note(inAnotherThread(() -> pair[0].write(buffer)));
            }
            t.call("auto", () -> pair[0].write(Arena.ofAuto().allocate(100).asByteBuffer()));
            t.call("global", () -> pair[0].write(Arena.global().allocate(10).asByteBuffer()));
            t.call(
                    "heap",
                    () -> pair[0].write(MemorySegment.ofArray(new byte[5]).asByteBuffer()));
            ByteBuffer readOnly =
                    MemorySegment.ofArray(new byte[5]).asReadOnly().asByteBuffer();
            t.call("read-only", () -> pair[0].write(readOnly));
            t.call("read into read-only", () -> pair[0].read(readOnly.clear()));
            t.note(readFully(pair[1], 220));
        });
    }

    @Test
    void shouldKeepAnArenaOpenWhileItWaits() throws Exception {
        expectLikeTheJdk("waiting", (t, s) -> {
            for (boolean scatter : new boolean[] {false, true}) {
                SocketChannel[] pair = s.pair();
                Arena arena = Arena.ofShared();
                ByteBuffer buffer = arena.allocate(1000).asByteBuffer();
                ByteBuffer[] both = {buffer, buffer.duplicate()};
                Attempt<String> read = Attempt.start(
                        () -> Transcript.answer(() -> scatter ? pair[0].read(both) : pair[0].read(buffer)));
                read.awaitInside("read");
                t.act("close arena", arena::close);
                pair[0].close();
                t.note(read.result());
                t.act("close arena", arena::close);
            }
            SocketChannel[] pair = s.pair();
            Arena arena = Arena.ofShared();
            ByteBuffer buffer = arena.allocate(64 << 20).asByteBuffer();
            Attempt<String> write = Attempt.start(() -> Transcript.answer(() -> pair[0].write(buffer)));
            write.awaitInside("write");
            t.act("close arena", arena::close);
            pair[0].close();
            write.result();
            t.act("close arena", arena::close);
        });
    }

    @Test
    void shouldWriteABufferAsOftenAsItOccurs() throws Exception {
        expectLikeTheJdk("repeated", (t, s) -> {
            SocketChannel[] pair = s.pair();
            ByteBuffer buffer = bytes("abc");
            ByteBuffer other = bytes("xyz");
            t.call("write", () -> pair[0].write(new ByteBuffer[] {buffer, other, room(0), buffer, buffer}, 0, 5));
            t.note(buffer.position() + " " + other.position());
            t.call("write", () -> pair[0].write(new ByteBuffer[] {buffer, other}));
            ByteBuffer[] many = new ByteBuffer[100];
            Arrays.fill(many, bytes("0123456789"));
            t.call("write", () -> pair[0].write(many, 10, 50));
            pair[0].close();
            ByteBuffer received = room(1000);
            while (pair[1].read(received) >= 0) {
                // until the end
            }
            t.note(new String(received.array(), 0, received.position()));
        });
    }

    @Test
    void shouldMoveNothingIntoNothing() throws Exception {
        expectLikeTheJdk("nothing", (t, s) -> {
            SocketChannel[] pair = s.pair();
            t.call("scatter", () -> pair[0].read(new ByteBuffer[0]));
            t.call("gather", () -> pair[0].write(new ByteBuffer[0]));
            pair[1].write(bytes("abc"));
            settle();
            t.call("read", () -> pair[0].read(room(0)));
            t.call("scatter", () -> pair[0].read(new ByteBuffer[] {room(0), room(2), room(0), room(5)}));
            pair[1].close();
            settle();
            t.call("read", () -> pair[0].read(room(0)));
            t.call("read", () -> pair[0].read(room(1)));
            t.call("read", () -> pair[0].read(room(0)));
            t.call("write", () -> pair[0].write(room(0)));
        });
    }

    @Test
    void shouldGatherMoreThanTwoGibibytes() throws Exception {
        expectLikeTheJdk("large", (t, s) -> {
            SocketChannel[] pair = s.nonBlockingPair();
            // The same memory over and over.
            ByteBuffer[] pieces = new ByteBuffer[8];
            Arrays.setAll(pieces, i -> Memory.PIECE.duplicate());
            t.call("write", () -> pair[0].write(pieces) > 0);
        });
    }

    /** Made once; nobody writes to it. */
    private static final class Memory {
        private static final ByteBuffer PIECE = ByteBuffer.allocateDirect(PIECE_BYTES);
    }
}
