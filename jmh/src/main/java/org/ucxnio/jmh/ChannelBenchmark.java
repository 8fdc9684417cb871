package org.ucxnio.jmh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A message through a pair of channels, written and read by one thread: over {@code ucx} with its frame, and with all that UCX does
 * for it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ChannelBenchmark {
    @Param({"jdk", "rings", "ucx"})
    public String provider;

    @Param({"16", "8192"})
    public int size;

    private ChannelPair pair;
    private ByteBuffer buffer;

    @Setup(Level.Trial)
    public void setUp() throws IOException {
        ChannelPair.use(provider);
        pair = ChannelPair.open();
        pair.move(provider, 2);
        buffer = ByteBuffer.allocateDirect(size);
    }

    @Benchmark
    public int writeAndRead() throws IOException {
        ChannelPair.pass(pair.client(), pair.server(), buffer);
        return buffer.position();
    }

    @TearDown(Level.Trial)
    public void tearDown() throws IOException {
        pair.close();
    }
}
