package org.ucxnio.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.config.Config;
import org.ucxnio.transport.Connection;
import org.ucxnio.transport.ControlPort;
import org.ucxnio.transport.Peer;
import org.ucxnio.transport.Transport;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.fake.FakeFaults;
import org.ucxnio.ucx.fake.FakeUcx;
import org.ucxnio.ucx.fake.FakeWorker;

@Timeout(60)
class HandshakesTest {
    private static final ControlPort SILENT = (ControlPort) Proxy.newProxyInstance(
            ControlPort.class.getClassLoader(), new Class<?>[] {ControlPort.class}, (proxy, method, arguments) -> null);

    /** Two networks that have nothing to do with each other look alike in a hello. */
    @Test
    void shouldHaveNoLinkWithAProcessThatUcxFindsNoWayTo() throws Exception {
        FakeFaults faults = new FakeFaults() {
            @Override
            public int onConnect(FakeWorker worker) {
                return UcsStatus.ERR_UNREACHABLE;
            }
        };
        Map<String, String> settings = Map.of(Config.TRUST, "10.0.0.0/8", Config.DRAIN, "100ms");
        Transport transport = new Transport(
                Config.from(settings::get), new FakeUcx(FakeUcx.DEFAULT_CAPACITY, faults), new TestPosix());
        Handshakes handshakes = new Handshakes(transport);
        Transport other = new Transport(Config.from(settings::get), new FakeUcx(), new TestPosix());
        Hello hello = new Handshakes(other).own();
        UUID process = other.processId();
        assertThat(handshakes.misfit(hello, false)).isEqualTo("libucx before 1.14 on the network");

        Connection connection = transport.newConnection(new Peer(process, false, 1 << 16, 100), "far", SILENT);
        connection.bind(transport.newGroup());
        connection.onPeerBound(new byte[] {1, 2, 3, 4}, 1);

        await().until(() -> transport.isUnreachable(process));
        assertThat(handshakes.misfit(hello, false)).isEqualTo("UCX finds no way to it");
        assertThat(handshakes.misfit(handshakes.own(), false)).isEqualTo("libucx before 1.14 on the network");
        connection.reset();
    }
}
