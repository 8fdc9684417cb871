package org.ucxnio.jmh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
import org.ucxnio.ring.Block;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingOut;

/** A record through a ring, by one thread: what both ends do for it, without a cache line that moves between cores. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RingBenchmark {
    private static final int RING_BYTES = 64 << 10;
    private static final int LINE_BYTES = 64;

    /** Those that lie in their slot, and those that do not. */
    @Param({"16", "1024", "8192"})
    public int size;

    private RingOut out;
    private RingIn in;
    private ByteBuffer source;
    private ByteBuffer[] sources;
    private ByteBuffer target;

    @Setup
    public void setUp() {
        ByteBuffer memory = ByteBuffer.allocateDirect(RING_BYTES + LINE_BYTES)
                .alignedSlice(LINE_BYTES)
                .slice(0, RING_BYTES)
                .order(ByteOrder.nativeOrder());
        out = new RingOut(new Block(0, 0, memory));
        in = new RingIn(memory);
        source = ByteBuffer.allocateDirect(size);
        sources = new ByteBuffer[] {source};
        target = ByteBuffer.allocateDirect(size);
    }

    @Benchmark
    public int writeAndRead() throws IOException {
        source.clear();
        // In two records where the end of the ring's data would cut it.
        if (out.writeWhole(source) == 0 && out.write(sources, 0, 1, size) != size) {
            throw new IllegalStateException("the ring is full");
        }
        target.clear();
        int count = in.read(target, false);
        if (count != size) {
            throw new IllegalStateException(count + " bytes of " + size);
        }
        if (in.isPublishDue()) {
            in.publish();
        }
        return count;
    }
}
