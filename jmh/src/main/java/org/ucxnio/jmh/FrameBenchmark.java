package org.ucxnio.jmh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.ucxnio.config.Config;
import org.ucxnio.jdk.Natives;
import org.ucxnio.link.Carried;
import org.ucxnio.link.Carrier;
import org.ucxnio.link.Lane;
import org.ucxnio.link.Sink;
import org.ucxnio.link.Source;
import org.ucxnio.link.Tokens;
import org.ucxnio.posix.Posix;
import org.ucxnio.transport.MessageCarrier;
import org.ucxnio.transport.Transport;
import org.ucxnio.ucx.fake.FakeUcx;

/**
 * A message in a frame from one worker to another, written and read by one thread: what both ends do for it, acknowledgements of bytes
 * included, over a UCX that is a queue in memory. The difference to {@link ChannelBenchmark} over {@code ucx} is UCX, and the channel.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FrameBenchmark {
    private static final int HELLO_BYTES = 256;
    private static final int LANE_BYTES = 4096;

    @Param({"16", "1024", "8192"})
    public int size;

    private Sink sink;
    private Source source;
    private ByteBuffer[] from;
    private ByteBuffer[] to;

    /** A connection that nobody waits for. */
    private static final class Quiet implements Carried {
        private final Tokens tokens = new Tokens(null, socket -> true);

        @Override
        public Tokens tokens() {
            return tokens;
        }

        @Override
        public boolean hasSwitched() {
            return true;
        }

        @Override
        public void onReady() {
            // Nobody selects.
        }

        @Override
        public void onSwitchKnown() {
            // There is no socket for a token.
        }

        @Override
        public void onDrained() {
            // Nor one to be closed.
        }

        @Override
        public void onBroken() {
            throw new IllegalStateException("the link has failed");
        }
    }

    @Setup
    public void setUp() throws IOException {
        Natives.export("sun.nio.ch");
        Posix posix = Natives.posix();
        Config config = Config.from(name -> null);
        FakeUcx ucx = new FakeUcx();
        Carrier near = new MessageCarrier(new Transport(config, ucx, posix));
        Carrier far = new MessageCarrier(new Transport(config, ucx, posix));
        Lane ofNear = bond(near, far).open(null);
        Lane ofFar = bond(far, near).open(null);
        ofFar.join(described(ofNear));
        ofNear.join(described(ofFar));
        ofNear.source(new Quiet());
        sink = ofNear.sink(new Quiet());
        source = ofFar.source(new Quiet());
        ofFar.sink(new Quiet());
        sink.switchAt(0);
        while (source.switchedAt() < 0) {
            source.catchUp();
        }
        source.enter();
        from = new ByteBuffer[] {ByteBuffer.allocateDirect(size)};
        to = new ByteBuffer[] {ByteBuffer.allocateDirect(size)};
    }

    private static Carrier.Bond bond(Carrier ours, Carrier theirs) throws IOException {
        ByteBuffer hello = ByteBuffer.allocate(HELLO_BYTES);
        theirs.introduce(hello);
        return ours.join(hello.flip(), true, number -> {});
    }

    private static ByteBuffer described(Lane lane) {
        ByteBuffer message = ByteBuffer.allocate(LANE_BYTES);
        lane.describe(message);
        return message.flip();
    }

    @Benchmark
    public long writeAndRead() throws IOException {
        from[0].clear();
        long written = 0;
        while (written < size) {
            written += sink.write(from, 0, 1, Sink.MAX_BYTES);
        }
        to[0].clear();
        long read = 0;
        while (read < size) {
            read += source.read(to, 0, 1);
        }
        return read;
    }
}
