package org.ucxnio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.testing.ChildJvm;

/** What the JVM has compiled of a program's own stays compiled when its connections move. */
@Timeout(120)
class WarmProgramTest {
    private static final String WARM = "warm";
    private static final String MOVED = "moved";
    private static final int SIZE = 64;

    /** Nothing goes on before it is compiled, and everything that is compiled, and thrown away, is a line of the output. */
    private static final List<String> FLAGS =
            List.of("-Xbatch", "-XX:-UseOnStackReplacement", "-XX:+PrintCompilation", "-Ducxnio.switch.after=400");

    private static final int TURNS = 50_000;

    /** Two calls each, fewer than a connection moves behind: as many as a client makes that is not over at once. */
    private static final int EARLY_MESSAGES = 20;

    /** As many as tell nothing of its client. */
    private static final int FEW_MESSAGES = 4;

    private static void check(String output) {
        String before = output.substring(0, output.indexOf(WARM));
        String behind = output.substring(output.indexOf(WARM), output.indexOf(MOVED));
        for (String method : List.of("buffers", "segments", "locks")) {
            assertThat(before).containsPattern(" 4 +org\\.ucxnio\\.WarmProgramTest::" + method + " ");
        }
        assertThat(behind).doesNotContainPattern(" 4 +org\\.ucxnio\\.WarmProgramTest::.* made (not entrant|zombie)");
    }

    @Test
    void shouldStayCompiledInAClient() throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocketChannel listener = new UcxSelectorProvider().openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(here, 0));
            String port = Integer.toString(((InetSocketAddress) listener.getLocalAddress()).getPort());
            try (ChildJvm child = ChildJvm.start(FLAGS, Map.of(), WarmProgramTest.class, port);
                    SocketChannel accepted = listener.accept()) {
                ByteBuffer message = ByteBuffer.allocateDirect(SIZE);
                while (accepted.read(message) >= 0) {
                    accepted.write(message.flip());
                    message.clear();
                }
                assertThat(child.exitCode()).as(child.output()).isZero();
                check(child.output());
            }
        }
    }

    @Test
    void shouldStayCompiledInAServer() throws Exception {
        try (ChildJvm child = ChildJvm.start(FLAGS, Map.of(), WarmProgramTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            check(child.output());
        }
    }

    /** Connects to a port that sends back what comes, or to itself. */
    public static void main(String[] arguments) throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        UcxSelectorProvider provider = new UcxSelectorProvider();
        if (arguments.length > 0) {
            try (SocketChannel client = provider.openSocketChannel()) {
                client.connect(new InetSocketAddress(here, Integer.parseInt(arguments[0])));
                use(client, client, EARLY_MESSAGES);
            }
            return;
        }
        try (ServerSocketChannel listener = provider.openServerSocketChannel();
                SocketChannel client = provider.openSocketChannel()) {
            listener.bind(new InetSocketAddress(here, 0));
            client.connect(listener.getLocalAddress());
            try (SocketChannel accepted = listener.accept()) {
                use(client, accepted, FEW_MESSAGES);
            }
        }
    }

    private static void use(SocketChannel out, SocketChannel in, int early) throws Exception {
        ByteBuffer message = ByteBuffer.allocateDirect(SIZE);
        for (int i = 0; i < early; i++) {
            pass(out, in, message);
        }
        work();
        System.out.println(WARM);
        while (UcxNio.snapshot().ringBytesReceived() == 0) {
            pass(out, in, message);
        }
        System.out.println(MOVED);
    }

    private static void pass(SocketChannel out, SocketChannel in, ByteBuffer message) throws IOException {
        out.write(message.clear());
        message.clear();
        while (message.hasRemaining()) {
            in.read(message);
        }
    }

    private static void work() throws ReflectiveOperationException {
        ByteBuffer direct = ByteBuffer.allocateDirect(SIZE);
        ByteBuffer segment = segment();
        Lock lock = new ReentrantLock();
        long sum = 0;
        for (int i = 0; i < TURNS; i++) {
            sum += buffers(direct) + segments(segment) + locks(lock);
        }
        System.out.println("worked " + sum);
    }

    private static long buffers(ByteBuffer buffer) {
        long sum = 0;
        for (int at = 0; at < SIZE; at += Long.BYTES) {
            sum += buffer.getLong(at);
        }
        buffer.putLong(0, sum);
        return buffer.slice(Long.BYTES, Long.BYTES).get(1);
    }

    /** A method of its own: what the JVM knows of the buffers of one says nothing of the other's. */
    private static long segments(ByteBuffer buffer) {
        long sum = 0;
        for (int at = 0; at < SIZE; at += Long.BYTES) {
            sum += buffer.getLong(at);
        }
        buffer.putLong(0, sum);
        return sum;
    }

    private static long locks(Lock lock) {
        lock.lock();
        try {
            return 1;
        } finally {
            lock.unlock();
        }
    }

    /** Of memory as newer programs have it; that of older ones where there is none. */
    private static ByteBuffer segment() throws ReflectiveOperationException {
        if (Runtime.version().feature() < 22) {
            return ByteBuffer.allocateDirect(SIZE);
        }
        Class<?> arena = Class.forName("java.lang.foreign.Arena");
        Object shared = arena.getMethod("ofShared").invoke(null);
        Method allocate = arena.getMethod("allocate", long.class, long.class);
        Object memory = allocate.invoke(shared, SIZE, Long.BYTES);
        return (ByteBuffer) Class.forName("java.lang.foreign.MemorySegment")
                .getMethod("asByteBuffer")
                .invoke(memory);
    }
}
