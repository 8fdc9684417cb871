package org.ucxnio.connect;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.ucxnio.config.Config;
import org.ucxnio.counters.Log;
import org.ucxnio.transport.Transport;
import org.ucxnio.ucx.fake.FakeUcx;

/** A process with a companion that has no descriptor left between the lines {@code take} and {@code give}. It ends with its input. */
@SuppressWarnings("restricted")
public final class DescriptorsMain {
    private static final int RLIMIT_NOFILE = 7;

    /** Whoever would be accepted has room. */
    private static final AcceptQueue QUEUE = new AcceptQueue() {
        @Override
        public void takeEarlier() {
            // Nobody comes but through the companion.
        }

        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public boolean offer(Accepted connection) {
            return false;
        }
    };

    private DescriptorsMain() {}

    public static void main(String[] arguments) throws Throwable {
        // A first line loads classes, which takes descriptors.
        Log.warn("The log is open");
        TestPosix posix = new TestPosix();
        Transport transport = new Transport(Config.from(Map.<String, String>of()::get), new FakeUcx(), posix);
        Connector connector = new Connector(transport, SelectorProvider.provider(), posix, true);
        Companion companion;
        do {
            ServerSocketChannel plain = ServerSocketChannel.open();
            plain.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            companion = connector.openCompanion((InetSocketAddress) plain.getLocalAddress(), 10, null, QUEUE);
        } while (!companion.isOpen());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limit = arena.allocate(ValueLayout.JAVA_LONG, 2);
            call("getrlimit", limit);
            long before = limit.get(ValueLayout.JAVA_LONG, 0);
            MethodHandle set = handle("setrlimit");
            System.out.println("port " + companion.port());
            in.readLine();
            // What the control thread has begun may load classes.
            CompletableFuture.runAsync(() -> {}, connector::execute).join();
            limit.set(ValueLayout.JAVA_LONG, 0, 0);
            int status = (int) set.invokeExact(RLIMIT_NOFILE, limit);
            System.out.println("taken " + status);
            in.readLine();
            limit.set(ValueLayout.JAVA_LONG, 0, before);
            status = (int) set.invokeExact(RLIMIT_NOFILE, limit);
            System.out.println("given " + status);
            in.readLine();
        }
    }

    private static MethodHandle handle(String function) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().find(function).orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    private static void call(String function, MemorySegment limit) throws Throwable {
        int status = (int) handle(function).invokeExact(RLIMIT_NOFILE, limit);
        if (status != 0) {
            throw new IllegalStateException(function);
        }
    }
}
