package org.ucxnio.it.contract;

import static org.ucxnio.it.contract.Sides.bytes;
import static org.ucxnio.it.contract.Sides.loopback;
import static org.ucxnio.it.contract.Sides.room;
import static org.ucxnio.it.contract.Sides.settle;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Ports;

/** Every call on a server channel and its adaptor, in every state, answers as the JDK's; and how it accepts. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Sides#all")
class ServerCallsTest {
    @Parameter
    private Sides sides;

    private void expectLikeTheJdk(String name, Transcript.Script script) throws Exception {
        Transcript.expectLikeTheJdk("server " + name, sides, script);
    }

    private static void askAll(Transcript t, ServerSocketChannel channel) {
        t.call("open", channel::isOpen);
        t.call("local", channel::getLocalAddress);
        t.call("valid operations", channel::validOps);
        t.call("bind odd", () -> channel.bind(Sides.ODD));
        t.call("bind unresolved", () -> channel.bind(Sides.UNRESOLVED));
        for (SocketOption<?> option : List.of(
                StandardSocketOptions.SO_RCVBUF,
                StandardSocketOptions.SO_REUSEADDR,
                StandardSocketOptions.SO_REUSEPORT,
                StandardSocketOptions.SO_LINGER)) {
            t.call("get " + option, () -> channel.getOption(option));
        }
        t.call("get null", () -> channel.getOption(null));
        t.call("set null", () -> channel.setOption(null, 1));
        t.call("set unsupported", () -> channel.setOption(StandardSocketOptions.SO_LINGER, 1));
        t.call("set negative", () -> channel.setOption(StandardSocketOptions.SO_RCVBUF, -1));
        t.call("set to null", () -> channel.setOption(StandardSocketOptions.SO_RCVBUF, null));
        t.call("set", () -> channel.setOption(StandardSocketOptions.SO_RCVBUF, 20_000) == channel);
        t.call(
                "supported",
                () -> channel.supportedOptions().stream()
                        .map(SocketOption::name)
                        .collect(Collectors.toCollection(TreeSet::new)));
        askAdaptor(t, channel);
    }

    private static void askAdaptor(Transcript t, ServerSocketChannel channel) {
        ServerSocket socket = channel.socket();
        t.call("same", () -> channel.socket() == socket && socket.getChannel() == channel);
        t.call("text", socket::toString);
        t.call("bound", socket::isBound);
        t.call("closed", socket::isClosed);
        t.call("port", () -> Integer.signum(socket.getLocalPort()));
        t.call("address", socket::getInetAddress);
        t.call("socket address", socket::getLocalSocketAddress);
        t.act("set timeout", () -> socket.setSoTimeout(10));
        t.call("timeout", socket::getSoTimeout);
        t.act("set negative timeout", () -> socket.setSoTimeout(-1));
        t.act("set no timeout", () -> socket.setSoTimeout(0));
        t.act("set reuse", () -> socket.setReuseAddress(true));
        t.call("reuse", socket::getReuseAddress);
        t.act("set no buffer", () -> socket.setReceiveBufferSize(0));
        t.act("set buffer", () -> socket.setReceiveBufferSize(20_000));
        t.call("buffer", socket::getReceiveBufferSize);
        t.call("get", () -> socket.getOption(StandardSocketOptions.SO_RCVBUF));
        t.call("get null", () -> socket.getOption(null));
        t.act("bind odd", () -> socket.bind(Sides.ODD));
        t.act("bind unresolved", () -> socket.bind(Sides.UNRESOLVED, 3));
    }

    private static void expectNoAccept(Transcript t, ServerSocketChannel channel) {
        t.call("accept", channel::accept);
        t.call("accept socket", () -> channel.socket().accept());
    }

    @Test
    void shouldAnswerInEveryState() throws Exception {
        expectLikeTheJdk("states", (t, s) -> {
            ServerSocketChannel channel = s.unboundListener();
            askAll(t, channel);
            expectNoAccept(t, channel);
            channel.configureBlocking(false);
            expectNoAccept(t, channel);
            channel.bind(loopback(Ports.free()));
            askAll(t, channel);
            expectNoAccept(t, channel);
            t.call("bind", () -> channel.bind(null));
            t.act("bind socket", () -> channel.socket().bind(null));
            channel.close();
            askAll(t, channel);
            expectNoAccept(t, channel);
            t.call("bind", () -> channel.bind(null));
            t.act("bind socket", () -> channel.socket().bind(null));
            t.call("mode", () -> channel.configureBlocking(true));
            t.act("close", () -> channel.socket().close());
            ServerSocketChannel neverBound = s.unboundListener();
            neverBound.close();
            askAll(t, neverBound);
            expectNoAccept(t, neverBound);
        });
    }

    @Test
    void shouldReportAddressesInUse() throws Exception {
        expectLikeTheJdk("in use", (t, s) -> {
            ServerSocketChannel first = s.listener();
            ServerSocketChannel second = s.unboundListener();
            t.call("bind", () -> second.bind(first.getLocalAddress()));
            t.act("bind socket", () -> second.socket().bind(first.getLocalAddress()));
            t.call("open", second::isOpen);
            t.call("bind elsewhere", () -> second.bind(loopback(Ports.free())) == second);
            SocketChannel client = s.socket();
            t.call("bind client", () -> client.bind(first.getLocalAddress()));
            t.act("bind client's socket", () -> client.socket().bind(first.getLocalAddress()));
            t.call("not ours", () -> s.unboundListener().bind(new InetSocketAddress("192.0.2.1", 0)));
        });
    }

    @Test
    void shouldShareAPort() throws Exception {
        expectLikeTheJdk("share", (t, s) -> {
            ServerSocketChannel first = s.unboundListener();
            ServerSocketChannel second = s.unboundListener();
            first.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            second.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            first.bind(loopback(Ports.free()));
            t.call("bind", () -> second.bind(first.getLocalAddress()) == second);
        });
    }

    @Test
    void shouldEndABlockedAcceptOfTheAdaptor() throws Exception {
        for (int timeout : new int[] {0, 20_000}) {
            expectLikeTheJdk("blocked " + timeout, (t, s) -> {
                for (boolean interrupt : new boolean[] {false, true}) {
                    ServerSocketChannel channel = s.listener();
                    channel.socket().setSoTimeout(timeout);
                    Attempt<String> accept = Attempt.start(
                            () -> Transcript.answer(() -> channel.socket().accept()));
                    accept.awaitInside("accept");
                    if (interrupt) {
                        accept.thread().interrupt();
                    } else {
                        channel.close();
                    }
                    t.note(accept.result() + ", open: " + channel.isOpen());
                }
            });
        }
    }

    @Test
    void shouldAcceptInTheAdaptor() throws Exception {
        expectLikeTheJdk("adaptor", (t, s) -> {
            ServerSocketChannel channel = s.listener();
            channel.socket().setSoTimeout(30);
            t.call("accept", () -> channel.socket().accept());
            s.socket().connect(channel.getLocalAddress());
            t.call("accept", () -> {
                Socket socket = s.with(channel.socket().accept());
                return socket + " " + socket.getChannel() + " " + socket.isBound() + " " + socket.isConnected();
            });
        });
    }

    @Test
    void shouldAcceptInTheOrderOfArrival() throws Exception {
        expectLikeTheJdk("order", (t, s) -> {
            ServerSocketChannel channel = s.listener();
            List<SocketAddress> arrivals = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Flavour flavour = i % 2 == 0 ? s.client() : Flavour.JDK;
                SocketChannel client = s.with(flavour.provider().openSocketChannel());
                client.connect(channel.getLocalAddress());
                arrivals.add(client.getLocalAddress());
                settle();
            }
            List<SocketAddress> accepted = new ArrayList<>();
            for (int i = 0; i < arrivals.size(); i++) {
                accepted.add(s.with(channel.accept()).getRemoteAddress());
            }
            t.note(accepted.equals(arrivals));
        });
    }

    /** With UCX messages, somebody who only knocks at the companion port makes us look at who is waiting in the kernel. */
    @Test
    void shouldAcceptAPlainClientBesideSomebodyWhoBreaksOff() throws Exception {
        expectLikeTheJdk("knock", (t, s) -> {
            for (boolean before : new boolean[] {true, false}) {
                ServerSocketChannel channel = s.listener();
                channel.configureBlocking(false);
                Selector selector = s.with(channel.provider().openSelector());
                channel.register(selector, SelectionKey.OP_ACCEPT);
                t.call("nobody", selector::selectNow);
                Attempt<Integer> select = Attempt.start(() -> before ? 0 : selector.select());
                SocketChannel client = s.with(Flavour.JDK.provider().openSocketChannel());
                client.connect(channel.getLocalAddress());
                int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
                Transcript.answer(() -> {
                    new Socket("127.0.0.1", Ports.companionOf(port)).close();
                    return "knocked";
                });
                settle();
                t.note(select.result());
                selector.selectedKeys().clear();
                t.call("somebody", () -> selector.select(5_000));
                t.call(
                        "accept",
                        () -> s.with(channel.accept()).getRemoteAddress().equals(client.getLocalAddress()));
                selector.selectedKeys().clear();
                t.call("nobody", selector::selectNow);
            }
        });
    }

    @Test
    void shouldHandItsReceiveBufferOn() throws Exception {
        expectLikeTheJdk("receive buffer", (t, s) -> {
            ServerSocketChannel channel = s.unboundListener();
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 30_000);
            channel.bind(loopback(Ports.free()));
            s.socket().connect(channel.getLocalAddress());
            SocketChannel first = s.with(channel.accept());
            t.call("before", () -> first.getOption(StandardSocketOptions.SO_RCVBUF));
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 40_000);
            s.socket().connect(channel.getLocalAddress());
            SocketChannel second = s.with(channel.accept());
            t.call("after", () -> second.getOption(StandardSocketOptions.SO_RCVBUF));
        });
    }

    @Test
    void shouldResetWhatWasNotAccepted() throws Exception {
        expectLikeTheJdk("unaccepted", (t, s) -> {
            ServerSocketChannel channel = s.listener();
            List<SocketChannel> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                SocketChannel client = i == 2 ? s.with(Flavour.JDK.provider().openSocketChannel()) : s.socket();
                client.connect(channel.getLocalAddress());
                clients.add(client);
            }
            channel.close();
            settle();
            for (SocketChannel client : clients) {
                t.call("read", () -> client.read(room(1)));
            }
            t.call("write", () -> clients.get(3).write(bytes("x")));
        });
    }

    /** With UCX messages more may wait than the backlog says, by what the companion port's own queue takes. */
    @Test
    void shouldLetAsManyWaitAsTheBacklogAllows() throws Exception {
        expectLikeTheJdk("backlog", (t, s) -> {
            ServerSocketChannel channel = s.unboundListener().bind(loopback(Ports.free()), 2);
            int connected = 0;
            for (int i = 0; i < 9; i++) {
                SocketChannel client = s.nonBlockingSocket();
                boolean done = client.connect(channel.getLocalAddress());
                for (int look = 0; look < 40 && !done; look++) {
                    Thread.sleep(2);
                    done = client.finishConnect();
                }
                connected += done ? 1 : 0;
            }
            t.note(Flavour.isMessagesHere() ? "some: " + (connected >= 3) + ", all: " + (connected == 9) : connected);
        });
    }
}
