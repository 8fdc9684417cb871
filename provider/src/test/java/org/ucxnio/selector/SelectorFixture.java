package org.ucxnio.selector;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.ServiceLoader;
import org.ucxnio.config.Config;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.posix.Posix;
import org.ucxnio.transport.Connection;
import org.ucxnio.transport.ControlPort;
import org.ucxnio.transport.Peer;
import org.ucxnio.transport.Transport;
import org.ucxnio.transport.WorkerGroup;
import org.ucxnio.ucx.fake.FakeUcx;

/** Selectors over two transports that share a fake UCX. */
final class SelectorFixture {
    private static final Map<String, SelectorFixture> SHARED = new HashMap<>();

    final Transport near;
    final Transport far;
    private final Posix posix = ServiceLoader.load(Posix.class).findFirst().orElseThrow();

    private SelectorFixture(String waitMode) throws IOException {
        posix.exportJavaBasePackage("sun.nio.ch");
        Config config = Config.from(Map.of(Config.WAIT, waitMode)::get);
        FakeUcx ucx = new FakeUcx();
        near = new Transport(config, ucx, posix);
        far = new Transport(config, ucx, posix);
    }

    static synchronized SelectorFixture with(String waitMode) throws IOException {
        SelectorFixture fixture = SHARED.get(waitMode);
        if (fixture == null) {
            fixture = new SelectorFixture(waitMode);
            SHARED.put(waitMode, fixture);
        }
        return fixture;
    }

    UcxSelector open() throws IOException {
        return new UcxSelector(SelectorProvider.provider(), SelectorProvider.provider(), near, near.governor(), posix);
    }

    /** A selector as in a process that needs no UCX and has no native access. */
    static UcxSelector openWithoutUcx(String waitMode) throws IOException {
        SelectorProvider platform = SelectorProvider.provider();
        SpinGovernor governor = new SpinGovernor(Config.from(Map.of(Config.WAIT, waitMode)::get));
        return new UcxSelector(platform, platform, null, governor, null);
    }

    /** The two ends of a connection; the far one is bound already, the near one tells it where it receives when it is. */
    static final class Pair {
        final Connection near;
        final Connection far;
        private final Wire toNear = new Wire();
        private final Wire toFar = new Wire();

        Pair(SelectorFixture fixture, WorkerGroup farGroup) throws IOException {
            near = fixture.near.newConnection(peer(fixture.far), "far", toFar);
            far = fixture.far.newConnection(peer(fixture.near), "near", toNear);
            far.bind(farGroup);
        }

        /** Delivers the control messages so far. */
        void deliver() {
            toNear.deliverTo(near);
            toFar.deliverTo(far);
        }

        void close() {
            near.reset();
            far.reset();
        }

        private static Peer peer(Transport process) {
            Config config = process.config();
            return new Peer(process.processId(), true, config.windowBytes(), config.windowMessages());
        }
    }

    private static final class Wire implements ControlPort {
        private record Bound(byte[] address, int id) {}

        private final Queue<Bound> bounds = new ArrayDeque<>();

        synchronized Bound poll() {
            return bounds.poll();
        }

        void deliverTo(Connection connection) {
            for (Bound bound = poll(); bound != null; bound = poll()) {
                connection.onPeerBound(bound.address(), bound.id());
            }
        }

        @Override
        public synchronized void sendBound(byte[] workerAddress, int connectionId) {
            bounds.add(new Bound(workerAddress, connectionId));
        }

        @Override
        public void sendData(ByteBuffer bytes) {
            bytes.position(bytes.limit());
        }

        @Override
        public void sendFin(long totalBytes) {
            // nobody listens
        }

        @Override
        public void sendExit(long totalBytes) {
            // nobody listens
        }

        @Override
        public void confirm(Runnable then) {
            then.run();
        }

        @Override
        public void abort() {
            // nobody listens
        }

        @Override
        public void close() {
            // nobody listens
        }
    }
}
