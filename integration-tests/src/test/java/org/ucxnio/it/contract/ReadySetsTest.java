package org.ucxnio.it.contract;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.ucxnio.it.contract.Sides.bytes;
import static org.ucxnio.it.contract.Sides.deadAddress;
import static org.ucxnio.it.contract.Sides.loopback;
import static org.ucxnio.it.contract.Sides.room;
import static org.ucxnio.it.contract.Sides.settle;

import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Ports;

/** What is ready, for every set of operations asked for, in every state of a connection. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Sides#all")
class ReadySetsTest {
    private static final int[] OPERATIONS = {
        0,
        OP_READ,
        OP_WRITE,
        OP_READ | OP_WRITE,
        OP_CONNECT,
        OP_READ | OP_CONNECT,
        OP_WRITE | OP_CONNECT,
        OP_READ | OP_WRITE | OP_CONNECT
    };

    @Parameter
    private Sides sides;

    private void expectLikeTheJdk(String name, Transcript.Script script) throws Exception {
        Transcript.expectLikeTheJdk("ready " + name, sides, script);
    }

    private interface Change {
        void make(SocketChannel near, SocketChannel far) throws Exception;
    }

    /** For every set of operations: what is ready before and after the change. */
    private void expectReady(String name, Change change) throws Exception {
        expectLikeTheJdk(name, (t, s) -> {
            for (int side = 0; side < 2; side++) {
                List<SelectionKey> keys = new ArrayList<>();
                for (int operations : OPERATIONS) {
                    SocketChannel[] pair = s.nonBlockingPair();
                    keys.add(pair[side].register(s.selector(), operations, pair));
                    select(t, keys.get(keys.size() - 1));
                    change.make(pair[side], pair[1 - side]);
                }
                settle();
                for (SelectionKey key : keys) {
                    select(t, key);
                    key.selector().close();
                }
            }
        });
    }

    private static void select(Transcript t, SelectionKey key) {
        Selector selector = key.selector();
        t.call("for " + key.interestOps(), () -> selector.selectNow() + " ready " + key.readyOps());
        t.call("again", () -> selector.selectNow() + " ready " + key.readyOps());
        selector.selectedKeys().clear();
    }

    @Test
    void shouldBeReadyWhenDataCame() throws Exception {
        expectReady("data", (near, far) -> far.write(bytes("x")));
    }

    @Test
    void shouldBeReadyWhenThePeerIsGone() throws Exception {
        expectReady("closed", (near, far) -> far.close());
        expectReady("shut down", (near, far) -> far.shutdownOutput());
        expectReady("reset", (near, far) -> {
            far.setOption(StandardSocketOptions.SO_LINGER, 0);
            far.close();
        });
    }

    @Test
    void shouldBeReadyWhenShutDown() throws Exception {
        expectReady("input shut", (near, far) -> near.shutdownInput());
        expectReady("output shut", (near, far) -> near.shutdownOutput());
        expectReady("both shut", (near, far) -> {
            near.shutdownOutput();
            near.shutdownInput();
        });
        expectReady("both ends shut", (near, far) -> {
            near.shutdownOutput();
            far.shutdownOutput();
        });
    }

    @Test
    void shouldAccumulateWhatIsReady() throws Exception {
        expectLikeTheJdk("accumulate", (t, s) -> {
            Selector selector = s.selector();
            SocketChannel[] pair = s.nonBlockingPair();
            SelectionKey key = pair[0].register(selector, OP_READ | OP_WRITE);
            t.call("select", () -> selector.select() + " ready " + key.readyOps());
            pair[1].write(bytes("x"));
            settle();
            t.call("select", () -> selector.selectNow() + " ready " + key.readyOps());
            key.interestOps(0);
            t.call("select", () -> selector.selectNow() + " ready " + key.readyOps());
            key.interestOps(OP_READ);
            selector.selectedKeys().clear();
            t.call("select", () -> selector.selectNow() + " ready " + key.readyOps());
            pair[0].read(room(10));
            t.call("select", () -> selector.selectNow() + " ready " + key.readyOps());
            selector.selectedKeys().clear();
            t.call("select", selector::selectNow);
        });
    }

    @Test
    void shouldBeReadyBeforeItIsConnected() throws Exception {
        expectLikeTheJdk("unconnected", (t, s) -> {
            for (int operations : OPERATIONS) {
                Selector selector = s.selector();
                select(t, s.nonBlockingSocket().register(selector, operations));
            }
        });
    }

    @Test
    void shouldBeReadyToFinishItsConnect() throws Exception {
        expectLikeTheJdk("connecting", (t, s) -> {
            ServerSocketChannel listener = s.listener();
            for (SelectionKey key : connecting(s, listener.getLocalAddress())) {
                select(t, key);
                t.call("finish", ((SocketChannel) key.channel())::finishConnect);
                if (key.interestOps() != OP_CONNECT && key.interestOps() != (OP_READ | OP_CONNECT)) {
                    select(t, key);
                }
            }
        });
    }

    /** Channels whose connect has been answered by now: one for every set of operations, each with a selector of its own. */
    private static List<SelectionKey> connecting(Sides s, SocketAddress address) throws Exception {
        List<SelectionKey> keys = new ArrayList<>();
        for (int operations : OPERATIONS) {
            Selector selector = s.selector();
            SocketChannel channel = s.nonBlockingSocket();
            channel.connect(address);
            keys.add(channel.register(selector, operations));
        }
        settle();
        settle();
        return keys;
    }

    @Test
    void shouldBeReadyToHearOfARefusal() throws Exception {
        expectLikeTheJdk("refused", (t, s) -> {
            for (SelectionKey key : connecting(s, deadAddress())) {
                select(t, key);
                t.call("finish", ((SocketChannel) key.channel())::finishConnect);
                t.call("valid", key::isValid);
            }
        });
    }

    @Test
    void shouldBeReadyToAccept() throws Exception {
        expectLikeTheJdk("accept", (t, s) -> {
            Selector selector = s.selector();
            ServerSocketChannel listener = s.unboundListener();
            listener.configureBlocking(false);
            SelectionKey key = listener.register(selector, OP_ACCEPT);
            t.call("unbound", () -> selector.selectNow() + " ready " + key.readyOps());
            selector.selectedKeys().clear();
            listener.bind(loopback(Ports.free()));
            select(t, key);
            SocketChannel client = s.socket();
            client.connect(listener.getLocalAddress());
            client.write(bytes("x"));
            settle();
            select(t, key);
            SocketChannel accepted = s.with(listener.accept());
            select(t, key);
            accepted.configureBlocking(false);
            SelectionKey both = accepted.register(selector, OP_READ | OP_WRITE);
            settle();
            t.call("accepted", () -> selector.selectNow() + " ready " + both.readyOps());
        });
    }
}
