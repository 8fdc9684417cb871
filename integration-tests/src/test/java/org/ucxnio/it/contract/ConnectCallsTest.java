package org.ucxnio.it.contract;

import static org.ucxnio.it.contract.Sides.bytes;
import static org.ucxnio.it.contract.Sides.deadAddress;
import static org.ucxnio.it.contract.Sides.loopback;
import static org.ucxnio.it.contract.Sides.room;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Addresses;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Ports;

/** The ways in which a connect ends, and what addresses and families it takes. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Sides#all")
class ConnectCallsTest {
    private static final List<ProtocolFamily> FAMILIES =
            List.of(StandardProtocolFamily.INET, StandardProtocolFamily.INET6);
    private static final List<String> HOSTS = List.of("127.0.0.1", "::1");

    @Parameter
    private Sides sides;

    private void expectLikeTheJdk(String name, Transcript.Script script) throws Exception {
        Transcript.expectLikeTheJdk("connect " + name, sides, script);
    }

    private static void askStates(Transcript t, SocketChannel channel) {
        t.call("open", channel::isOpen);
        t.call("connected", channel::isConnected);
        t.call("pending", channel::isConnectionPending);
        t.call("text", channel::toString);
        t.call("local", channel::getLocalAddress);
        t.call("remote", channel::getRemoteAddress);
        t.call("socket connected", () -> channel.socket().isConnected());
        t.call("socket bound", () -> channel.socket().isBound());
        t.call("socket remote", () -> channel.socket().getRemoteSocketAddress());
    }

    private static InetSocketAddress at(String host, int port) {
        return new InetSocketAddress(Addresses.literal(host), port);
    }

    private static int port(ServerSocketChannel listener) throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    @Test
    void shouldReportARefusal() throws Exception {
        expectLikeTheJdk("refused", (t, s) -> {
            SocketChannel blocking = s.socket();
            t.call("connect", () -> blocking.connect(deadAddress()));
            askStates(t, blocking);
            SocketChannel adapted = s.socket();
            t.act("connect", () -> adapted.socket().connect(deadAddress()));
            askStates(t, adapted);
            SocketChannel timed = s.socket();
            t.act("connect", () -> timed.socket().connect(deadAddress(), 1000));
            askStates(t, timed);
            SocketChannel selecting = s.nonBlockingSocket();
            t.call("connect", () -> connectPolling(selecting, deadAddress()));
            askStates(t, selecting);
            t.call("finish", selecting::finishConnect);
        });
    }

    private static Object connectPolling(SocketChannel channel, SocketAddress target) throws Exception {
        try {
            boolean connected = channel.connect(target);
            while (!connected) {
                Thread.sleep(1);
                connected = channel.finishConnect();
            }
            return true;
        } catch (ConnectException e) {
            return e;
        }
    }

    @Test
    void shouldEndAConnectThatNobodyAnswers() throws Exception {
        expectLikeTheJdk("silent", (t, s) -> {
            SocketAddress silent = s.silentAddress();
            SocketChannel timed = s.socket();
            t.act("connect", () -> timed.socket().connect(silent, 50));
            askStates(t, timed);
            SocketChannel closed = s.socket();
            Attempt<String> first = Attempt.start(() -> Transcript.answer(() -> closed.connect(silent)));
            first.awaitInside("connect");
            t.call("pending", closed::isConnectionPending);
            t.call("text", closed::toString);
            closed.close();
            t.note(first.result());
            SocketChannel adapted = s.socket();
            Attempt<String> second = Attempt.start(() -> Transcript.answer(() -> {
                adapted.socket().connect(silent, 20_000);
                return "connected";
            }));
            second.awaitInside("connect");
            second.thread().interrupt();
            t.note(second.result());
            askStates(t, adapted);
        });
    }

    @Test
    void shouldEndAPendingConnectInBlockingMode() throws Exception {
        expectLikeTheJdk("pending", (t, s) -> {
            SocketAddress silent = s.silentAddress();
            for (boolean interrupt : new boolean[] {false, true}) {
                SocketChannel channel = s.nonBlockingSocket();
                channel.connect(silent);
                t.call("finish", channel::finishConnect);
                channel.configureBlocking(true);
                Attempt<String> finish = Attempt.start(() -> Transcript.answer(channel::finishConnect));
                finish.awaitInside("finishConnect");
                if (interrupt) {
                    finish.thread().interrupt();
                } else {
                    channel.close();
                }
                t.note(finish.result());
                askStates(t, channel);
            }
        });
    }

    @Test
    void shouldReportAddressesThatCannotBeReached() throws Exception {
        expectLikeTheJdk("unreachable", (t, s) -> {
            SocketChannel channel = s.socket();
            t.call("broadcast", () -> channel.connect(at("255.255.255.255", 80)));
            askStates(t, channel);
            SocketChannel other = s.socket();
            t.call("port 0", () -> other.connect(loopback(0)));
            askStates(t, other);
        });
    }

    @Test
    void shouldConnectToWildcardAndLocalhost() throws Exception {
        expectLikeTheJdk("wildcard", (t, s) -> {
            ServerSocketChannel listener = s.unboundListener();
            listener.bind(new InetSocketAddress(Ports.free()));
            t.call("listener", listener::getLocalAddress);
            for (InetSocketAddress target : List.of(
                    new InetSocketAddress(port(listener)),
                    new InetSocketAddress("localhost", port(listener)),
                    at("::1", port(listener)),
                    at("127.0.0.1", port(listener)))) {
                SocketChannel channel = s.socket();
                t.call("connect", () -> channel.connect(target));
                askStates(t, channel);
                SocketChannel accepted = s.with(listener.accept());
                askStates(t, accepted);
                t.call(
                        "agree",
                        () -> accepted.getRemoteAddress().equals(channel.getLocalAddress())
                                && accepted.getLocalAddress().equals(channel.getRemoteAddress()));
            }
        });
    }

    @Test
    void shouldHeedTheFamily() throws Exception {
        expectLikeTheJdk("family", (t, s) -> {
            for (ProtocolFamily family : FAMILIES) {
                for (String host : HOSTS) {
                    SocketChannel channel = s.with(s.client().provider().openSocketChannel(family));
                    int dead = deadAddress().getPort();
                    t.call(family + " connect " + host, () -> channel.connect(at(host, dead)));
                    askStates(t, channel);
                    SocketChannel bound = s.with(s.client().provider().openSocketChannel(family));
                    t.call(family + " bind " + host, () -> bound.bind(at(host, 0)) == bound);
                    t.call("local", bound::getLocalAddress);
                    ServerSocketChannel listener = s.with(s.server().provider().openServerSocketChannel(family));
                    t.call(family + " listen " + host, () -> listener.bind(at(host, 0)) == listener);
                    t.call("local", listener::getLocalAddress);
                }
            }
            t.call("null", () -> s.client().provider().openSocketChannel(null));
            t.call("null", () -> s.server().provider().openServerSocketChannel(null));
            t.call("unknown", () -> s.client().provider().openSocketChannel(() -> "ODD"));
        });
    }

    @Test
    void shouldReachAListenerOfAFamilyOrNot() throws Exception {
        expectLikeTheJdk("families", (t, s) -> {
            for (ProtocolFamily listening : FAMILIES) {
                ServerSocketChannel listener = s.with(s.server().provider().openServerSocketChannel(listening));
                listener.bind(new InetSocketAddress(
                        listening == StandardProtocolFamily.INET
                                ? at("0.0.0.0", 0).getAddress()
                                : at("::", 0).getAddress(),
                        Ports.free()));
                for (ProtocolFamily family : FAMILIES) {
                    for (String host : HOSTS) {
                        SocketChannel channel = s.with(s.client().provider().openSocketChannel(family));
                        t.call(listening + " " + family + " " + host, () -> channel.connect(at(host, port(listener))));
                        if (channel.isConnected()) {
                            askStates(t, channel);
                            askStates(t, s.with(listener.accept()));
                        }
                    }
                }
            }
        });
    }

    @Test
    void shouldConnectToItself() throws Exception {
        expectLikeTheJdk("own port", (t, s) -> {
            SocketChannel channel = s.socket();
            channel.bind(loopback(0));
            t.call("connect", () -> channel.connect(channel.getLocalAddress()));
            askStates(t, channel);
            t.call("same", () -> channel.getLocalAddress().equals(channel.getRemoteAddress()));
            t.call("write", () -> channel.write(bytes("abc")));
            t.call("read", () -> channel.read(room(10)));
        });
    }

    @Test
    void shouldNotBeStoppedByAnInterruptInNonBlockingMode() throws Exception {
        expectLikeTheJdk("interrupted", (t, s) -> {
            ServerSocketChannel listener = s.listener();
            SocketChannel channel = s.nonBlockingSocket();
            t.note(Attempt.start(() -> Transcript.answer(() -> {
                        Thread.currentThread().interrupt();
                        boolean connected = channel.connect(listener.getLocalAddress());
                        while (!connected) {
                            Thread.onSpinWait();
                            connected = channel.finishConnect();
                        }
                        return connected;
                    }))
                    .result());
            askStates(t, channel);
        });
    }
}
