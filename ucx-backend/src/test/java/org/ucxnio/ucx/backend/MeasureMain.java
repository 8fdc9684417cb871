package org.ucxnio.ucx.backend;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.ucxnio.testing.ChildJvm;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxMessage;
import org.ucxnio.ucx.UcxWorker;
import org.ucxnio.ucx.UcxWorkerListener;

/**
 * What the SPI itself costs between two JVMs, each pinned to a core: round trips of 16 bytes, and one-way throughput in
 * frames of several sizes, copied out by the receiver. Not a test; run with {@code taskset -c 0} on the test class path.
 */
public final class MeasureMain {
    private static final int WARM_UP = 200_000;
    private static final int ROUND_TRIPS = 1_000_000;
    private static final long ONE_WAY_BYTES = 8L << 30;
    private static final int MEMORY = 8 << 20;
    private static final int[] FRAMES = {8192, 65536, 16, 1024};

    private final UcxContext context = TestUcx.context("posix", "KEEPALIVE_INTERVAL", "1s");
    private final NativeMemory memory = context.allocate(MEMORY);
    private final Listener listener = new Listener();
    private final UcxWorker worker = context.createWorker(listener);
    private UcxEndpoint endpoint;

    private MeasureMain() throws Exception {}

    private final class Listener implements UcxWorkerListener {
        private long messages;
        private long bytes;
        private int at;
        private int pending;

        @Override
        public void onMessage(UcxMessage message) {
            int length = message.length();
            at = at + length > MEMORY / 2 ? 0 : at;
            message.copyTo(0, memory, MEMORY / 2 + at, length);
            at += length;
            messages++;
            bytes += length;
        }

        @Override
        public void onSendCompleted(long token, int status) {
            pending--;
        }

        @Override
        public void onEndpointFailed(UcxEndpoint failed, int status) {
            throw new IllegalStateException(UcsStatus.describe(status));
        }
    }

    public static void main(String[] arguments) throws Exception {
        MeasureMain main = new MeasureMain();
        if (arguments.length == 1) {
            ChildJvm.endWithParent();
            main.connect(new BufferedReader(new InputStreamReader(System.in)), System.out);
            main.answer();
            return;
        }
        Process child = new ProcessBuilder(
                        "taskset",
                        "-c",
                        "1",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-D" + TestUcx.USED_LIBUCX + "=" + System.getProperty(TestUcx.USED_LIBUCX, ""),
                        "-D" + TestUcx.USED_BACKEND + "=" + TestUcx.backendName(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MeasureMain.class.getName(),
                        "child")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        main.connect(child.inputReader(), new PrintStream(child.getOutputStream(), true));
        System.out.println(TestUcx.library());
        main.ask();
        child.destroy();
    }

    private void connect(BufferedReader in, PrintStream out) throws Exception {
        out.println(HexFormat.of().formatHex(worker.address()));
        endpoint = worker.connect(HexFormat.of().parseHex(in.readLine()));
    }

    private void send(int offset, int length) {
        int status = endpoint.send(memory, offset, length, 0);
        if (status == UcsStatus.INPROGRESS) {
            listener.pending++;
        } else if (status != UcsStatus.OK) {
            throw new IllegalStateException(UcsStatus.describe(status));
        }
    }

    private void awaitMessages(long count) {
        while (listener.messages < count) {
            worker.progress();
        }
    }

    private void answer() {
        send(0, 1000);
        awaitMessages(1);
        for (int i = 0; i < WARM_UP + ROUND_TRIPS; i++) {
            awaitMessages(i + 2);
            send(0, 16);
        }
        for (int frame : FRAMES) {
            long expected = listener.bytes + total(frame);
            while (listener.bytes < expected) {
                worker.progress();
            }
            send(0, 16);
        }
        while (true) {
            worker.progress();
        }
    }

    private static long total(int frame) {
        return Math.min(ONE_WAY_BYTES, 4_000_000L * frame);
    }

    private void ask() {
        send(0, 1000);
        awaitMessages(1);
        long[] nanos = new long[ROUND_TRIPS];
        for (int i = 0; i < WARM_UP + ROUND_TRIPS; i++) {
            long start = System.nanoTime();
            send(0, 16);
            awaitMessages(i + 2);
            nanos[Math.max(0, i - WARM_UP)] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        System.out.printf(
                "16 B round trip: p50 %d ns, p99 %d ns, p99.9 %d ns%n",
                nanos[ROUND_TRIPS / 2], nanos[ROUND_TRIPS / 100 * 99], nanos[ROUND_TRIPS / 1000 * 999]);
        for (int frame : FRAMES) {
            long before = listener.messages;
            long start = System.nanoTime();
            int at = 0;
            for (long sent = 0; sent < total(frame); sent += frame) {
                while (listener.pending > 16) {
                    worker.progress();
                }
                at = at + frame > MEMORY / 2 ? 0 : at;
                send(at, frame);
                at += frame;
            }
            awaitMessages(before + 1);
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf(
                    "one-way, frames of %d B: %.2f GB/s, %.2f M frames/s%n",
                    frame, total(frame) / seconds / 1e9, total(frame) / frame / seconds / 1e6);
        }
    }
}
