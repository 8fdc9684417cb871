package org.ucxnio.ucx.backend;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
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
 * The other process of two-process tests. Says {@code address <hex>}, reads the test's address, then echoes messages, or
 * does what it is told by lines: {@code silent} (progresses no more), {@code quit}.
 */
public final class PeerMain {
    private static final int LARGEST = 1 << 20;

    private PeerMain() {}

    public static void main(String[] arguments) throws Exception {
        ChildJvm.endWithParent();
        UcxContext context = TestUcx.context(arguments[0]);
        Echo echo = new Echo(context.allocate(64 * LARGEST));
        UcxWorker worker = context.createWorker(echo);
        System.out.println("address " + HexFormat.of().formatHex(worker.address()));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        echo.endpoint = worker.connect(HexFormat.of().parseHex(in.readLine()));
        System.out.println("lanes " + echo.endpoint.lanes());
        while (true) {
            worker.progress();
            if (in.ready() && !obey(in.readLine(), in)) {
                worker.close();
                System.out.println("bye");
                return;
            }
        }
    }

    private static boolean obey(String line, BufferedReader in) throws IOException {
        if (!"silent".equals(line)) {
            return false;
        }
        System.out.println("silent");
        return !"quit".equals(in.readLine());
    }

    private static final class Echo implements UcxWorkerListener {
        private final NativeMemory memory;
        private UcxEndpoint endpoint;
        private int next;

        Echo(NativeMemory memory) {
            this.memory = memory;
        }

        @Override
        public void onMessage(UcxMessage message) {
            // A place of its own for each: an echo may be pending while others arrive.
            int length = message.length();
            next = next + length > memory.buffer().capacity() ? 0 : next;
            message.copyTo(0, memory, next, length);
            int status = endpoint.send(memory, next, length, 1);
            if (UcsStatus.isError(status)) {
                throw new IllegalStateException(UcsStatus.describe(status));
            }
            next += length;
        }

        @Override
        public void onSendCompleted(long token, int status) {
            // The memory is large enough not to care.
        }

        @Override
        public void onEndpointFailed(UcxEndpoint failed, int status) {
            System.out.println("failed " + UcsStatus.name(status));
        }
    }
}
