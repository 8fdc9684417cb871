package org.ucxnio.jmh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
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

/** Selections with many idle connections beside the one that has a message, or none. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SelectBenchmark {
    private static final int SIZE = 16;

    @Param({"jdk", "rings", "ucx"})
    public String provider;

    @Param({"1", "256"})
    public int connections;

    private final List<ChannelPair> pairs = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
    private Selector selector;

    @Setup(Level.Trial)
    public void setUp() throws IOException {
        ChannelPair.use(provider);
        selector = Selector.open();
        for (int i = 1; i <= connections; i++) {
            ChannelPair pair = ChannelPair.open();
            pairs.add(pair);
            pair.client().configureBlocking(false);
            pair.server().configureBlocking(false);
            pair.server().register(selector, SelectionKey.OP_READ);
            pair.move(provider, 2 * i);
        }
        // What the moves have left to do.
        selector.selectNow();
        selector.selectedKeys().clear();
    }

    /** Nothing is ready. */
    @Benchmark
    public int selectNow() throws IOException {
        return selector.selectNow();
    }

    /** A message is written, found by a selection and read. */
    @Benchmark
    public int messageAndSelect() throws IOException {
        ChannelPair pair = pairs.get(0);
        buffer.clear();
        pair.client().write(buffer);
        int ready = selector.select();
        selector.selectedKeys().clear();
        buffer.clear();
        pair.server().read(buffer);
        if (buffer.hasRemaining()) {
            throw new IllegalStateException(buffer + " of one message");
        }
        return ready;
    }

    @TearDown(Level.Trial)
    public void tearDown() throws IOException {
        for (ChannelPair pair : pairs) {
            pair.close();
        }
        selector.close();
    }
}
