package org.ucxnio.it.contract;

import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;
import static org.ucxnio.it.contract.Sides.bytes;
import static org.ucxnio.it.contract.Sides.loopback;
import static org.ucxnio.it.contract.Sides.room;
import static org.ucxnio.it.contract.Sides.settle;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;

/** Every call on {@code socket()}, in every state the channel can be in, answers as the JDK's; its streams likewise. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Sides#all")
class AdaptorCallsTest {
    @Parameter
    private Sides sides;

    private void expectLikeTheJdk(String name, Transcript.Script script) throws Exception {
        Transcript.expectLikeTheJdk("adaptor " + name, sides, script);
    }

    private static void askAll(Transcript t, SocketChannel channel) {
        Socket socket = channel.socket();
        t.call("same", () -> channel.socket() == socket && socket.getChannel() == channel);
        t.call("text", socket::toString);
        t.call("bound", socket::isBound);
        t.call("connected", socket::isConnected);
        t.call("closed", socket::isClosed);
        t.call("input shut down", socket::isInputShutdown);
        t.call("output shut down", socket::isOutputShutdown);
        t.call("port", () -> socket.getPort() > 0);
        t.call("local port", () -> Integer.signum(socket.getLocalPort()));
        t.call("address", socket::getInetAddress);
        t.call("local address", socket::getLocalAddress);
        t.call("remote", socket::getRemoteSocketAddress);
        t.call("local", socket::getLocalSocketAddress);
        t.call("in", () -> socket.getInputStream() != null);
        t.call("out", () -> socket.getOutputStream() != null);
        askOptions(t, socket);
        t.act("connect null", () -> socket.connect(null));
        t.act("connect back in time", () -> socket.connect(loopback(9), -1));
        t.act("connect odd", () -> socket.connect(Sides.ODD));
    }

    private static void askOptions(Transcript t, Socket socket) {
        t.act("set timeout", () -> socket.setSoTimeout(10));
        t.call("timeout", socket::getSoTimeout);
        t.act("set negative timeout", () -> socket.setSoTimeout(-1));
        t.act("set no timeout", () -> socket.setSoTimeout(0));
        t.act("set linger", () -> socket.setSoLinger(true, 70_000));
        t.call("linger", socket::getSoLinger);
        t.act("set negative linger", () -> socket.setSoLinger(true, -1));
        t.call("linger", socket::getSoLinger);
        t.act("set no delay", () -> socket.setTcpNoDelay(true));
        t.call("no delay", socket::getTcpNoDelay);
        t.act("set keep alive", () -> socket.setKeepAlive(true));
        t.call("keep alive", socket::getKeepAlive);
        t.act("set traffic class", () -> socket.setTrafficClass(8));
        t.act("set bad traffic class", () -> socket.setTrafficClass(256));
        t.call("traffic class", socket::getTrafficClass);
        t.act("set reuse", () -> socket.setReuseAddress(true));
        t.call("reuse", socket::getReuseAddress);
        t.act("set inline", () -> socket.setOOBInline(true));
        t.call("inline", socket::getOOBInline);
        t.act("set no send buffer", () -> socket.setSendBufferSize(0));
        t.act("set send buffer", () -> socket.setSendBufferSize(20_000));
        t.call("send buffer", socket::getSendBufferSize);
        t.act("set no receive buffer", () -> socket.setReceiveBufferSize(-1));
        t.act("set receive buffer", () -> socket.setReceiveBufferSize(20_000));
        t.call("receive buffer", socket::getReceiveBufferSize);
        t.call("get", () -> socket.getOption(StandardSocketOptions.SO_KEEPALIVE));
        t.call("get null", () -> socket.getOption(null));
        t.call("get unsupported", () -> socket.getOption(StandardSocketOptions.IP_MULTICAST_TTL));
        t.call("set", () -> socket.setOption(StandardSocketOptions.SO_KEEPALIVE, false) == socket);
    }

    private static void askToEnd(Transcript t, Socket socket) {
        t.act("shut input down", socket::shutdownInput);
        t.act("shut output down", socket::shutdownOutput);
        t.act("urgent", () -> socket.sendUrgentData(1));
    }

    private static void expectNothingWhenClosed(Transcript t, SocketChannel channel) {
        Socket socket = channel.socket();
        askAll(t, channel);
        askToEnd(t, socket);
        t.act("connect", () -> socket.connect(loopback(9)));
        t.act("connect in time", () -> socket.connect(loopback(9), 100));
        t.act("connect unresolved", () -> socket.connect(Sides.UNRESOLVED));
        t.act("bind", () -> socket.bind(null));
        t.act("close", socket::close);
    }

    @Test
    void shouldAnswerBeforeItIsConnected() throws Exception {
        expectLikeTheJdk("fresh", (t, s) -> {
            SocketChannel channel = s.socket();
            askAll(t, channel);
            askToEnd(t, channel.socket());
            t.act("bind odd", () -> channel.socket().bind(Sides.ODD));
            t.act("bind unresolved", () -> channel.socket().bind(Sides.UNRESOLVED));
            t.act("bind", () -> channel.socket().bind(loopback(0)));
            t.act("bind again", () -> channel.socket().bind(loopback(0)));
            askAll(t, channel);
            channel.close();
            expectNothingWhenClosed(t, channel);
        });
    }

    @Test
    void shouldBeClosedByAConnectThatFails() throws Exception {
        assumeThat(OlderAnswers.HERE).as("older channels stay open").isFalse();
        expectLikeTheJdk("failed", (t, s) -> {
            SocketChannel channel = s.socket();
            t.act("connect unresolved", () -> channel.socket().connect(Sides.UNRESOLVED, 100));
            expectNothingWhenClosed(t, channel);
        });
    }

    @Test
    void shouldAnswerWhilePending() throws Exception {
        expectLikeTheJdk("pending", (t, s) -> {
            SocketAddress silent = s.silentAddress();
            SocketChannel channel = s.nonBlockingSocket();
            channel.connect(silent);
            askAll(t, channel);
            askToEnd(t, channel.socket());
            t.act("connect", () -> channel.socket().connect(loopback(9)));
            t.act("connect in time", () -> channel.socket().connect(loopback(9), 100));
            t.act("bind", () -> channel.socket().bind(null));
            channel.configureBlocking(true);
            t.act("connect", () -> channel.socket().connect(loopback(9), 100));
        });
    }

    @Test
    void shouldAnswerWhenConnectedAndThenClosed() throws Exception {
        for (int side = 0; side < 2; side++) {
            int end = side;
            expectLikeTheJdk("connected " + side, (t, s) -> {
                SocketChannel channel = s.pair()[end];
                askAll(t, channel);
                t.act("connect", () -> channel.socket().connect(loopback(9)));
                t.act("connect in time", () -> channel.socket().connect(loopback(9), 50));
                t.act("connect unresolved", () -> channel.socket().connect(Sides.UNRESOLVED));
                t.act("bind", () -> channel.socket().bind(null));
                askToEnd(t, channel.socket());
                askToEnd(t, channel.socket());
                askAll(t, channel);
                channel.close();
                expectNothingWhenClosed(t, channel);
            });
        }
    }

    @Test
    void shouldRefuseToConnectInNonBlockingMode() throws Exception {
        expectLikeTheJdk("non-blocking", (t, s) -> {
            SocketChannel channel = s.nonBlockingSocket();
            t.act("connect", () -> channel.socket().connect(loopback(9)));
            t.act("connect in time", () -> channel.socket().connect(loopback(9), 100));
            t.call("open", channel::isOpen);
        });
    }

    @Test
    void shouldReadAndWriteStreams() throws Exception {
        for (int side = 0; side < 2; side++) {
            int end = side;
            expectLikeTheJdk("streams " + side, (t, s) -> useStreams(t, s.pair(), end));
        }
    }

    private static void useStreams(Transcript t, SocketChannel[] pair, int end) throws Exception {
        SocketChannel near = pair[end];
        SocketChannel far = pair[1 - end];
        InputStream in = near.socket().getInputStream();
        OutputStream out = near.socket().getOutputStream();
        t.call("same", () -> near.socket().getInputStream() == in);
        t.act("write null", () -> out.write(null));
        t.act("write outside", () -> out.write(new byte[3], 2, 2));
        t.act("write before", () -> out.write(new byte[3], -1, 2));
        t.act("write nothing", () -> out.write(new byte[0]));
        t.call("read null", () -> in.read(null));
        t.call("read outside", () -> in.read(new byte[3], 2, 2));
        t.call("read nothing", () -> in.read(new byte[0]));
        far.write(bytes("hello world"));
        // The first link of a process takes longer than bytes that settle.
        await().until(() -> in.available() > 0);
        t.call("available", in::available);
        t.call("read", in::read);
        t.call("available", in::available);
        t.call("skip", () -> in.skip(2));
        t.call("read", () -> new String(in.readNBytes(3)));
        near.socket().setSoTimeout(50);
        t.call("read too much", () -> in.readNBytes(100));
        near.socket().setSoTimeout(0);
        far.write(bytes("more"));
        far.close();
        t.call("read all", () -> new String(in.readAllBytes()));
        t.call("available", in::available);
        near.configureBlocking(false);
        useStreamsInNonBlockingMode(t, in, out);
        near.close();
        useStreamsInNonBlockingMode(t, in, out);
    }

    private static void useStreamsInNonBlockingMode(Transcript t, InputStream in, OutputStream out) {
        t.call("read", in::read);
        t.call("read nothing", () -> in.read(new byte[0]));
        t.act("write", () -> out.write(1));
        t.act("write nothing", () -> out.write(new byte[0]));
        t.call("available", in::available);
    }

    @Test
    void shouldEndStreamsWhenShutDown() throws Exception {
        for (int side = 0; side < 2; side++) {
            int end = side;
            expectLikeTheJdk("shut down " + side, (t, s) -> {
                SocketChannel channel = s.pair()[end];
                InputStream in = channel.socket().getInputStream();
                OutputStream out = channel.socket().getOutputStream();
                channel.shutdownInput();
                channel.shutdownOutput();
                t.call("read", in::read);
                t.call("available", in::available);
                t.act("write", () -> out.write(1));
                t.call("read channel", () -> channel.read(room(3)));
                t.act("close", in::close);
                t.call("open", channel::isOpen);
                t.call("read", in::read);
                t.act("write", () -> out.write(1));
            });
        }
    }

    @Test
    void shouldEndABlockedStreamAsTheChannelEnds() throws Exception {
        for (int side = 0; side < 2; side++) {
            for (int timeout : new int[] {0, 20_000}) {
                int end = side;
                expectLikeTheJdk("blocked " + side + " " + timeout, (t, s) -> {
                    t.note(blockedRead(s.pair()[end], timeout, (socket, thread) -> socket.close()));
                    t.note(blockedRead(s.pair()[end], timeout, (socket, thread) -> thread.interrupt()));
                    t.note(blockedRead(s.pair()[end], timeout, (socket, thread) -> socket.shutdownInput()));
                });
            }
        }
    }

    private interface Ending {
        void end(Socket socket, Thread thread) throws Exception;
    }

    private static String blockedRead(SocketChannel channel, int timeout, Ending ending) throws Exception {
        Socket socket = channel.socket();
        socket.setSoTimeout(timeout);
        Attempt<String> read = Attempt.start(
                () -> Transcript.answer(() -> socket.getInputStream().read()));
        read.awaitInside("read");
        ending.end(socket, read.thread());
        return read.result() + ", open: " + channel.isOpen();
    }

    @Test
    void shouldEndAStreamOfAThreadThatWasInterruptedBefore() throws Exception {
        for (int side = 0; side < 2; side++) {
            int end = side;
            expectLikeTheJdk("interrupted " + side, (t, s) -> {
                SocketChannel[] pair = s.pair();
                pair[1 - end].write(bytes("abc"));
                settle();
                t.note(interrupted(() -> pair[end].socket().getInputStream().read()));
                OutputStream out = s.pair()[end].socket().getOutputStream();
                t.note(interrupted(() -> {
                    out.write(1);
                    return "written";
                }));
            });
        }
    }

    private static String interrupted(Transcript.Call call) throws Exception {
        return Attempt.start(() -> Transcript.answer(() -> {
                    Thread.currentThread().interrupt();
                    return call.run();
                }))
                .result();
    }
}
