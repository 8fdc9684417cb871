package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.config.Config;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.fake.FakeFaults;
import org.ucxnio.ucx.fake.FakeUcx;
import org.ucxnio.ucx.fake.FakeWorker;

/** Which other hosts are within reach. */
@Timeout(60)
class NetworkTest {
    private static final String NETWORK = "10.0.0.0/8";

    private static Transport transport(String... transports) throws IOException {
        FakeFaults faults = new FakeFaults() {
            @Override
            public List<String> transports() {
                return List.of(transports);
            }
        };
        return new Transport(
                Config.from(Map.of(Config.TRUST, NETWORK)::get),
                new FakeUcx(Processes.FIFO, faults),
                Processes.posix());
    }

    @Test
    void shouldReachOtherHostsThroughAnyDevice() throws IOException {
        assertThat(transport("tcp/lo", "tcp/eth0").networkUnavailable()).isNull();
    }

    @Test
    void shouldReachOtherHostsThroughDevicesWhoseNamesAreNotUnderstood() throws IOException {
        assertThat(transport().networkUnavailable()).isNull();
    }

    /** A process that starts before the network is up must not promise its peers what it cannot keep. */
    @Test
    void shouldReachNobodyThroughTheLoopback() throws IOException {
        assertThat(transport("tcp/lo").networkUnavailable()).contains("no device is up but the loopback");
    }

    /** What UCX has in a buffer of its own leaves with the progress that nobody else makes. */
    @Test
    void shouldGoOnProgressingAWorkerThatHasSentAfterAnError() throws IOException {
        Processes processes = Processes.fresh(Config.TRUST, NETWORK);
        Connection connection = OverNetwork.bound(processes);
        FakeWorker fake = processes.ucx.workers().get(0);
        try (RawPeer peer = new RawPeer(processes)) {
            connection.onPeerBound(peer.address(), 1);
            processes.faults.broken = fake;
            Pattern.write(connection, 0, 10);
            await().until(() -> processes.faults.thrown.get() > 2);
            processes.faults.clear();

            long before = connection.worker().progressCount();
            await().until(() -> connection.worker().progressCount() > before + 2);
            connection.reset();
        }
    }

    @Test
    void shouldRememberWhomUcxFindsNoWayTo() throws IOException {
        Processes processes = Processes.fresh(Config.TRUST, NETWORK, Config.DRAIN, "100ms");
        processes.faults.connectStatus = UcsStatus.ERR_UNREACHABLE;
        UUID process = UUID.randomUUID();
        Connection connection = OverNetwork.open(processes, process);
        connection.bind(processes.left.newGroup());
        assertThat(processes.left.isUnreachable(process)).isFalse();

        connection.onPeerBound(new byte[] {1, 2, 3, 4}, 1);

        await().until(() -> processes.left.isUnreachable(process));
        assertThatThrownBy(() -> connection.read(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1))
                .isInstanceOf(SocketException.class);
        connection.reset();
    }
}
