package org.ucxnio.it.contract;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.ucxnio.it.contract.Sides.bytes;
import static org.ucxnio.it.contract.Sides.room;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;

/** Every call on selectors, keys and key sets, in every state, answers as the JDK's. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Sides#all")
class SelectorCallsTest {
    @Parameter
    private Sides sides;

    private void expectLikeTheJdk(String name, Transcript.Script script) throws Exception {
        Transcript.expectLikeTheJdk("selector " + name, sides, script);
    }

    private interface Selecting {
        void use(SelectionKey key) throws IOException;
    }

    /** An action of {@code select} that may throw. */
    private static int select(Selector selector, Selecting action) throws IOException {
        return selector.select(key -> {
            try {
                action.use(key);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static void askSelector(Transcript t, Selector selector) {
        t.call("open", selector::isOpen);
        t.call("keys", () -> selector.keys().size());
        t.call("selected", () -> selector.selectedKeys().size());
        t.call("select now", selector::selectNow);
        t.call("select before", () -> selector.select(-1));
        t.call("select with null", () -> selector.select(null));
        t.call("select now with null", () -> selector.selectNow(null));
        t.call("select in time with null", () -> selector.select(null, 10));
        t.call("select before with action", () -> selector.select(key -> {}, -1));
        t.call("select now with action", () -> selector.selectNow(key -> {}));
        t.call("wake up", () -> selector.wakeup() == selector);
        t.call("select woken", selector::select);
        t.call("wake up", () -> selector.wakeup() == selector);
        t.call("select woken with action", () -> selector.select(key -> {}));
    }

    private static void askKey(Transcript t, SelectionKey key) {
        t.call("valid", key::isValid);
        t.call("interest", key::interestOps);
        t.call("ready", key::readyOps);
        t.call("set", () -> key.interestOps(OP_READ) == key);
        t.call("or", () -> key.interestOpsOr(OP_WRITE));
        t.call("and", () -> key.interestOpsAnd(OP_READ));
        t.call("and all", () -> key.interestOpsAnd(-1));
        t.call("set invalid", () -> key.interestOps(OP_ACCEPT));
        t.call("set negative", () -> key.interestOps(-1));
        t.call("or invalid", () -> key.interestOpsOr(OP_ACCEPT));
        t.call("readable", key::isReadable);
        t.call("writable", key::isWritable);
        t.call("connectable", key::isConnectable);
        t.call("acceptable", key::isAcceptable);
        t.call("attach", () -> key.attach("x"));
        t.call("attachment", key::attachment);
        t.call("selector", () -> key.selector().isOpen());
        t.call("channel", () -> key.channel().isOpen());
        t.act("cancel", key::cancel);
    }

    @Test
    void shouldAnswerWhenFreshAndWhenClosed() throws Exception {
        expectLikeTheJdk("states", (t, s) -> {
            Selector selector = s.selector();
            askSelector(t, selector);
            SocketChannel[] pair = s.nonBlockingPair();
            SelectionKey key = pair[0].register(selector, OP_READ, "attached");
            Set<SelectionKey> keys = selector.keys();
            Set<SelectionKey> selected = selector.selectedKeys();
            selector.close();
            askSelector(t, selector);
            askKey(t, key);
            t.call("keys", keys::size);
            t.call("selected", selected::size);
            t.call("registered", pair[0]::isRegistered);
            t.call("key", () -> pair[0].keyFor(selector));
            t.call("register", () -> pair[0].register(selector, OP_READ));
            t.call("register invalid", () -> pair[0].register(selector, OP_ACCEPT));
            t.call("mode", () -> pair[0].configureBlocking(true).isBlocking());
            pair[1].write(bytes("x"));
            t.call("read", () -> pair[0].read(room(3)));
            t.act("close", selector::close);
        });
    }

    @Test
    void shouldGuardItsSets() throws Exception {
        expectLikeTheJdk("sets", (t, s) -> {
            Selector selector = s.selector();
            SocketChannel[] pair = s.nonBlockingPair();
            SelectionKey one = pair[0].register(selector, OP_WRITE);
            SelectionKey two = pair[1].register(selector, OP_WRITE);
            Set<SelectionKey> keys = selector.keys();
            Set<SelectionKey> selected = selector.selectedKeys();
            t.call("same", () -> keys == selector.keys() && selected == selector.selectedKeys());
            t.call("add key", () -> keys.add(one));
            t.act("clear keys", keys::clear);
            t.call("remove key", () -> keys.remove(one));
            t.call("remove keys", () -> keys.removeAll(Set.of()));
            t.call("retain keys", () -> keys.retainAll(Set.of()));
            t.act("remove by iterator", () -> keys.iterator().remove());
            t.call("select", selector::select);
            t.call("add selected", () -> selected.add(two));
            t.call("add all selected", () -> selected.addAll(Set.of()));
            t.call("remove", () -> selected.remove(one));
            t.call("remove again", () -> selected.remove(one));
            t.call("contains", () -> selected.contains(one) + " " + selected.contains(two));
            t.call("select", selector::selectNow);
            t.call("select", selector::selectNow);
            t.call("remove all", () -> selected.removeAll(Set.of(one, two)));
            t.call("select", selector::select);
            t.call("retain", () -> selected.retainAll(Set.of(one)));
            t.call("remove if", () -> selected.removeIf(key -> key == one));
            t.call("select", selector::select);
            two.cancel();
            t.call("after cancel", () -> keys.size() + " " + selected.size());
            t.call("select", selector::selectNow);
            t.call("after select", () -> keys.size() + " " + selected.size());
            pair[0].close();
            t.call("after close", () -> keys.size() + " " + selected.contains(one) + " " + one.isValid());
            t.call("select", selector::selectNow);
            t.call("after select", () -> keys.size() + " " + selected.size());
        });
    }

    @Test
    void shouldAnswerForKeys() throws Exception {
        expectLikeTheJdk("keys", (t, s) -> {
            Selector selector = s.selector();
            SocketChannel[] pair = s.pair();
            t.call("register blocking", () -> pair[0].register(selector, OP_READ));
            pair[0].configureBlocking(false);
            t.call("register invalid", () -> pair[0].register(selector, OP_ACCEPT));
            SelectionKey key = pair[0].register(selector, 0);
            t.call("register again", () -> pair[0].register(selector, OP_READ, "x") == key);
            t.call("block", () -> pair[0].configureBlocking(true));
            askKey(t, key);
            askKey(t, key);
            t.call("registered", pair[0]::isRegistered);
            t.call("register cancelled", () -> pair[0].register(selector, OP_READ));
            t.call("select", selector::selectNow);
            t.call("registered", pair[0]::isRegistered);
            t.call("key", () -> pair[0].keyFor(selector));
            t.call("register anew", () -> pair[0].register(selector, OP_READ) != key);
            pair[0].close();
            t.call("register closed", () -> pair[0].register(selector, OP_READ));
            t.call("keys", () -> selector.keys().size());
            t.call("select", selector::selectNow);
            t.call("keys", () -> selector.keys().size());
        });
    }

    @Test
    void shouldSelectForActions() throws Exception {
        expectLikeTheJdk("actions", (t, s) -> {
            Selector selector = s.selector();
            SocketChannel[] pair = s.nonBlockingPair();
            SelectionKey one = pair[0].register(selector, OP_WRITE);
            t.call("select inside", () -> select(selector, key -> selector.selectNow()));
            t.call("select with action inside", () -> select(selector, key -> selector.select(other -> {})));
            t.call(
                    "throw",
                    () -> select(selector, key -> {
                        throw new IOException("mine");
                    }));
            List<Object> seen = new ArrayList<>();
            t.call(
                    "look",
                    () -> select(selector, key -> {
                        seen.add(key == one);
                        seen.add(key.readyOps());
                        seen.add(selector.selectedKeys().size());
                        seen.add(Thread.holdsLock(selector));
                        seen.add(Thread.holdsLock(selector.selectedKeys()));
                    }));
            t.note(seen);
            t.call("select", selector::select);
            t.call("beside a selected key", () -> selector.select(key -> {}));
            t.call("selected", () -> selector.selectedKeys().size());
            SelectionKey two = pair[1].register(selector, OP_WRITE);
            t.call(
                    "cancel inside",
                    () -> select(selector, key -> {
                        one.cancel();
                        two.cancel();
                    }));
            t.call("keys", () -> selector.keys().size());
            t.call("select", () -> selector.selectNow(key -> {}));
            pair[0].register(selector, OP_WRITE);
            t.call("close inside", () -> select(selector, key -> selector.close()));
            t.call("open", selector::isOpen);
        });
    }

    @Test
    void shouldTakeChangesWhileAnotherThreadSelects() throws Exception {
        expectLikeTheJdk("changes", (t, s) -> {
            Selector selector = s.selector();
            SocketChannel[] pair = s.nonBlockingPair();
            SelectionKey key = pair[0].register(selector, OP_READ);
            Attempt<Integer> select = Attempt.start(() -> selector.select());
            select.awaitInside("select");
            // None of these waits for the selection, nor ends it.
            pair[1].register(selector, OP_WRITE);
            key.interestOps(OP_READ | OP_WRITE);
            key.attach("x");
            t.call("keys", () -> selector.keys().size());
            t.call(
                    "text",
                    () -> !selector.toString().isEmpty() && !key.toString().isEmpty());
            Thread.sleep(50);
            t.note("ended: " + select.isDone());
            selector.wakeup();
            select.result();
            selector.selectedKeys().clear();
            t.call("select", selector::select);
            key.cancel();
            t.call("registered", pair[0]::isRegistered);
            t.call("select", selector::selectNow);
            t.call("registered", pair[0]::isRegistered);
        });
    }

    @Test
    void shouldLetOneThreadSelectAtATime() throws Exception {
        expectLikeTheJdk("threads", (t, s) -> {
            Selector selector = s.selector();
            s.nonBlockingPair()[0].register(selector, OP_READ);
            Attempt<Integer> first = Attempt.start(() -> selector.select());
            first.awaitInside("select");
            Attempt<Integer> second = Attempt.start(() -> selector.selectNow());
            Thread.sleep(50);
            t.note("both waiting: " + (!first.isDone() && !second.isDone()));
            selector.wakeup();
            t.note(first.result() + " " + second.result());
        });
    }

    @Test
    void shouldReturnAtOnceToAnInterruptedThread() throws Exception {
        expectLikeTheJdk("interrupt", (t, s) -> {
            Selector selector = s.selector();
            s.nonBlockingPair()[0].register(selector, OP_READ);
            Attempt<String> sleeping = Attempt.start(() -> Transcript.answer(selector::select));
            sleeping.awaitInside("select");
            sleeping.thread().interrupt();
            t.note(sleeping.result());
            t.note(Attempt.start(() -> Transcript.answer(() -> {
                        Thread.currentThread().interrupt();
                        return selector.select()
                                + selector.select(20_000)
                                + selector.select(key -> {})
                                + selector.selectNow();
                    }))
                    .result());
            t.call("open", selector::isOpen);
        });
    }
}
