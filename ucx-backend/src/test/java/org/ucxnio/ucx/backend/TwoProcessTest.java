package org.ucxnio.ucx.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.testing.ChildJvm;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxWorker;

/** A worker here and one in another JVM, over shared memory. */
@Timeout(120)
class TwoProcessTest {
    /** Name of the backend that the other process uses; the same as this one's if not set. */
    static final String PEER_BACKEND = "ucxnio.test.backend.peer";

    private static final int LARGEST = 1 << 20;

    private UcxContext context;
    private NativeMemory source;
    private NativeMemory scratch;
    private RecordingListener listener;
    private UcxWorker worker;
    private ChildJvm peer;
    private UcxEndpoint endpoint;

    @BeforeEach
    void connect() throws Exception {
        context = TestUcx.context("posix");
        source = context.allocate(LARGEST);
        scratch = context.allocate(LARGEST);
        byte[] random = new byte[LARGEST];
        new Random(2).nextBytes(random);
        source.buffer().put(0, random);
        listener = new RecordingListener(scratch);
        worker = context.createWorker(listener);
        peer = ChildJvm.start(
                TestUcx.flags(System.getProperty(PEER_BACKEND, TestUcx.backendName())),
                Map.of(),
                PeerMain.class,
                "posix");
        String address = peer.expect("address ");
        peer.send(HexFormat.of().formatHex(worker.address()));
        endpoint = worker.connect(HexFormat.of().parseHex(address));
    }

    @AfterEach
    void close() {
        if (peer != null) {
            peer.close();
            worker.close();
            source.close();
            scratch.close();
            context.close();
        }
    }

    private void progressUntil(BooleanSupplier done) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!done.getAsBoolean()) {
            worker.progress();
            assertThat(System.nanoTime()).as("deadline").isLessThan(end);
        }
    }

    @Test
    void shouldEchoMessagesOfEverySize() {
        int[] sizes = {0, 1, 16, 92, 93, 4096, 8192, 8248, 8249, 65536, LARGEST};
        for (int round = 0; round < 5; round++) {
            listener.messages.clear();
            for (int size : sizes) {
                assertThat(endpoint.send(source, LARGEST - size, size, size)).isNotNegative();
            }
            progressUntil(() -> listener.messages.size() == sizes.length);
            for (int i = 0; i < sizes.length; i++) {
                byte[] sent = new byte[sizes[i]];
                source.buffer().get(LARGEST - sizes[i], sent);
                assertThat(listener.messages.get(i))
                        .as("message of " + sizes[i])
                        .isEqualTo(sent);
            }
        }
    }

    @Test
    void shouldReportAKilledPeerAndCloseByForce() throws Exception {
        // More than 92 bytes: smaller messages leave the endpoint half wired up, and UCX never looks after one of
        // those.
        endpoint.send(source, 0, 1000, 1);
        progressUntil(() -> listener.messages.size() == 1);
        peer.send("silent");
        peer.expect("silent");
        int pending = 0;
        while (pending < 32) {
            pending += endpoint.send(source, 0, 8000, 1000 + pending) == UcsStatus.INPROGRESS ? 1 : 0;
        }
        peer.kill();
        progressUntil(() -> !listener.failures.isEmpty());
        assertThat(listener.failures).containsExactly(UcsStatus.ERR_CONNECTION_RESET);
        assertThat(listener.completions.stream().filter(completion -> completion.status() < 0))
                .hasSize(32);
        assertThat(endpoint.send(source, 0, 16, 1)).isEqualTo(UcsStatus.ERR_CONNECTION_RESET);
        endpoint.close();
        assertThat(worker.progress()).isNotNegative();
        assertThat(listener.failures).hasSize(1);
    }

    @Test
    void shouldCancelAllSendsWhenClosedByForceBeforeADeathIsNoticed() throws Exception {
        endpoint.send(source, 0, 16, 1);
        progressUntil(() -> listener.messages.size() == 1);
        peer.send("silent");
        peer.expect("silent");
        int pending = 0;
        while (pending < 32) {
            pending += endpoint.send(source, 0, 65536, 1000 + pending) == UcsStatus.INPROGRESS ? 1 : 0;
        }
        peer.kill();
        endpoint.close();
        assertThat(listener.completions)
                .hasSize(32)
                .allMatch(completion -> completion.status() == UcsStatus.ERR_CANCELED);
    }
}
