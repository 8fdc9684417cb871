package org.ucxnio.it.contract;

import static org.ucxnio.it.contract.Sides.bytes;
import static org.ucxnio.it.contract.Sides.loopback;
import static org.ucxnio.it.contract.Sides.room;

import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;

/** Every call on a socket channel, in every state it can be in, answers as the JDK's. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Sides#all")
class ChannelCallsTest {
    @Parameter
    private Sides sides;

    private void expectLikeTheJdk(String name, Transcript.Script script) throws Exception {
        Transcript.expectLikeTheJdk("channel " + name, sides, script);
    }

    private static void askAll(Transcript t, SocketChannel channel) {
        askStates(t, channel);
        askToTransfer(t, channel);
        askToConnect(t, channel);
        askOptions(t, channel);
    }

    private static void askStates(Transcript t, SocketChannel channel) {
        t.call("open", channel::isOpen);
        t.call("connected", channel::isConnected);
        t.call("pending", channel::isConnectionPending);
        t.call("blocking", channel::isBlocking);
        t.call("registered", channel::isRegistered);
        t.call("local", channel::getLocalAddress);
        t.call("remote", channel::getRemoteAddress);
        t.call("text", channel::toString);
        t.call("valid operations", channel::validOps);
        t.call("register nowhere", () -> channel.register(null, 1));
        t.call("key of no selector", () -> channel.keyFor(null));
    }

    private static void askToTransfer(Transcript t, SocketChannel channel) {
        ByteBuffer readOnly = room(4).asReadOnlyBuffer();
        ByteBuffer[] one = {room(1)};
        t.call("read null", () -> channel.read((ByteBuffer) null));
        t.call("write null", () -> channel.write((ByteBuffer) null));
        t.call("read null array", () -> channel.read((ByteBuffer[]) null));
        t.call("write null array", () -> channel.write((ByteBuffer[]) null));
        t.call("read into array of null", () -> channel.read(new ByteBuffer[] {null}));
        t.call("write array of null", () -> channel.write(new ByteBuffer[] {null}));
        t.call("read read-only", () -> channel.read(readOnly));
        t.call("read empty read-only", () -> channel.read(room(0).asReadOnlyBuffer()));
        t.call("scatter read-only", () -> channel.read(new ByteBuffer[] {readOnly}));
        t.call("read outside", () -> channel.read(one, -1, 1));
        t.call("read too many", () -> channel.read(one, 0, 2));
        t.call("write behind", () -> channel.write(one, 2, 0));
        t.call("write less than none", () -> channel.write(one, 0, -1));
        t.call("read none", () -> channel.read(one, 0, 0));
        t.call("write none", () -> channel.write(one, 0, 0));
        t.call("read nothing", () -> channel.read(room(0)));
        t.call("write nothing", () -> channel.write(room(0)));
    }

    private static void askToConnect(Transcript t, SocketChannel channel) {
        t.call("connect null", () -> channel.connect(null));
        t.call("connect unresolved", () -> channel.connect(Sides.UNRESOLVED));
        t.call("connect Unix", () -> channel.connect(UnixDomainSocketAddress.of("/tmp/nobody")));
        t.call("connect odd", () -> channel.connect(Sides.ODD));
        t.call("bind odd", () -> channel.bind(Sides.ODD));
        t.call("bind unresolved", () -> channel.bind(Sides.UNRESOLVED));
    }

    private static void askOptions(Transcript t, SocketChannel channel) {
        t.call("get null", () -> channel.getOption(null));
        t.call("set null", () -> channel.setOption(null, 1));
        t.call("get unsupported", () -> channel.getOption(StandardSocketOptions.IP_MULTICAST_TTL));
        t.call("set unsupported", () -> channel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1));
        set(t, channel, StandardSocketOptions.SO_RCVBUF, null);
        set(t, channel, StandardSocketOptions.SO_RCVBUF, -1);
        set(t, channel, StandardSocketOptions.SO_RCVBUF, 20_000);
        set(t, channel, StandardSocketOptions.SO_LINGER, -5);
        set(t, channel, StandardSocketOptions.SO_LINGER, 100_000);
        set(t, channel, StandardSocketOptions.SO_LINGER, -1);
        set(t, channel, StandardSocketOptions.IP_TOS, 300);
        set(t, channel, StandardSocketOptions.IP_TOS, 0x10);
        set(t, channel, StandardSocketOptions.TCP_NODELAY, true);
        set(t, channel, StandardSocketOptions.TCP_NODELAY, false);
        t.call(
                "supported",
                () -> channel.supportedOptions().stream()
                        .map(SocketOption::name)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static <T> void set(Transcript t, SocketChannel channel, SocketOption<T> option, T value) {
        t.call("set " + option + " " + value, () -> channel.setOption(option, value) == channel);
        t.call("get " + option, () -> channel.getOption(option));
    }

    private static void shutdown(Transcript t, SocketChannel channel) {
        t.call("shut input down", () -> channel.shutdownInput() == channel);
        t.call("shut output down", () -> channel.shutdownOutput() == channel);
    }

    private static void expectNothingWhenClosed(Transcript t, SocketChannel channel) {
        askAll(t, channel);
        shutdown(t, channel);
        t.call("finish", channel::finishConnect);
        t.call("connect", () -> channel.connect(loopback(9)));
        t.call("bind", () -> channel.bind(null));
        t.call("mode", () -> channel.configureBlocking(false));
        t.act("close", channel::close);
    }

    @Test
    void shouldAnswerWhenFresh() throws Exception {
        expectLikeTheJdk("fresh", (t, s) -> {
            SocketChannel channel = s.socket();
            askAll(t, channel);
            shutdown(t, channel);
            t.call("finish", channel::finishConnect);
        });
    }

    @Test
    void shouldAnswerWhenBound() throws Exception {
        expectLikeTheJdk("bound", (t, s) -> {
            SocketChannel channel = s.socket();
            t.call("bind", () -> channel.bind(loopback(0)) == channel);
            askAll(t, channel);
            t.call("bind again", () -> channel.bind(loopback(0)));
            channel.close();
            expectNothingWhenClosed(t, channel);
        });
    }

    @Test
    void shouldAnswerWhilePending() throws Exception {
        expectLikeTheJdk("pending", (t, s) -> {
            SocketAddress silent = s.silentAddress();
            SocketChannel channel = s.nonBlockingSocket();
            t.call("connect", () -> channel.connect(silent));
            askAll(t, channel);
            shutdown(t, channel);
            t.call("connect again", () -> channel.connect(silent));
            t.call("bind", () -> channel.bind(null));
            t.call("finish", channel::finishConnect);
            channel.close();
            expectNothingWhenClosed(t, channel);
        });
    }

    @Test
    void shouldAnswerWhenConnectedAndThenClosed() throws Exception {
        for (int side = 0; side < 2; side++) {
            int end = side;
            expectLikeTheJdk("connected " + side, (t, s) -> {
                SocketChannel channel = s.pair()[end];
                askAll(t, channel);
                t.call("connect", () -> channel.connect(loopback(9)));
                t.call("bind", () -> channel.bind(null));
                t.call("finish", channel::finishConnect);
                channel.close();
                expectNothingWhenClosed(t, channel);
            });
        }
    }

    @Test
    void shouldAnswerWhenShutDown() throws Exception {
        for (int side = 0; side < 2; side++) {
            int end = side;
            expectLikeTheJdk("shut down " + side, (t, s) -> {
                SocketChannel channel = s.pair()[end];
                shutdown(t, channel);
                shutdown(t, channel);
                askAll(t, channel);
                t.call("write", () -> channel.write(bytes("x")));
                t.call("read", () -> channel.read(room(3)));
                channel.configureBlocking(false);
                t.call("write", () -> channel.write(bytes("x")));
                t.call("read", () -> channel.read(room(3)));
            });
        }
    }
}
