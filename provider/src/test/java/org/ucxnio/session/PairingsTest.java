package org.ucxnio.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ucxnio.ring.Block;

class PairingsTest extends SessionFixture {
    private static final InetSocketAddress ANY = new InetSocketAddress(LISTENER.getPort());

    private FakeMovable request(Pairings client, Pairings server) {
        FakeMovable end = connection(LISTENER);
        server.accepted(end.mirrored());
        client.request(end, Pace.AT_ONCE);
        return end;
    }

    // -- paired ------------------------------------------------------------------------------------------------------

    @Test
    void shouldPairTwoEnds() throws IOException {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        expectStillWorking(client, server);
        expectStillWorking(client, server);
        assertThat(client.openSessions()).isEqualTo(1);
        assertThat(client.pairedConnections()).isEqualTo(2);
        assertThat(server.pairedConnections()).isEqualTo(2);
        // A slab for each direction, and nobody needs its name any more.
        eventually().until(() -> names("s-").isEmpty());
        assertThat(client.memoryHeld()).isEqualTo(64 << 10);
        assertThat(client.unavailable()).isNull();
        assertThat(server.listenerProblems()).isEmpty();
    }

    @Test
    void shouldFindAListenerOfAllAddresses() {
        Pairings server = listening(ANY);
        expectStillWorking(process(), server);
    }

    @Test
    void shouldPairIPv6() {
        InetSocketAddress address = new InetSocketAddress("::1", 4711);
        Pairings server = listening(address);
        Pairings client = process();
        FakeMovable end = new FakeMovable(new InetSocketAddress("::1", 1), address);
        FakeMovable other = end.mirrored();
        server.accepted(other);
        client.request(end, Pace.AT_ONCE);
        expectPaired(end, other);
    }

    @Test
    void shouldPairWithinOneProcess() {
        Pairings both = listening(LISTENER);
        expectStillWorking(both, both);
        assertThat(both.openSessions()).isEqualTo(2);
    }

    @Test
    void shouldPairManyAtOnce() {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        List<FakeMovable> ends = new ArrayList<>();
        List<FakeMovable> others = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            FakeMovable end = connection(LISTENER);
            ends.add(end);
            others.add(end.mirrored());
            client.request(end, Pace.AT_ONCE);
        }
        others.forEach(server::accepted);
        for (int i = 0; i < ends.size(); i++) {
            expectPaired(ends.get(i), others.get(i));
        }
    }

    @Test
    void shouldEndASessionThatHasNoConnections() {
        Pairings server = listening(LISTENER);
        Pairings busy = process();
        expectStillWorking(busy, server);
        Pairings idle = process();
        FakeMovable end = request(idle, server);
        expectEvents(end, "hear", "speak");
        assertThat(idle.openSessions()).isEqualTo(1);
        idle.closed(end);
        eventually().until(() -> idle.openSessions() == 0);
        assertThat(busy.openSessions()).isEqualTo(1);
        eventually().untilAsserted(() -> assertThat(server.openSessions()).isEqualTo(1));
        assertThat(idle.memoryHeld()).isZero();
        expectStillWorking(idle, server);
    }

    /** The server is late: with its listener's name, and with the accept. */
    @Test
    void shouldWaitForTheServer() throws Exception {
        Pairings client = process();
        FakeMovable end = connection(LISTENER);
        client.request(end, Pace.AT_ONCE);
        Thread.sleep(100);
        Pairings server = process();
        server.listening(LISTENER);
        Thread.sleep(100);
        FakeMovable other = end.mirrored();
        server.accepted(other);
        expectPaired(end, other);
    }

    @Test
    void shouldPairWhatWasAcceptedBeforeTheListenerWasClosed() throws Exception {
        Pairings server = process();
        Closeable name = server.listening(LISTENER);
        eventually().until(() -> names("l-").size() == 1);
        name.close();
        name.close();
        expectStillWorking(process(), server);
        eventually().until(() -> names("l-").isEmpty());
    }

    // -- the end of the process --------------------------------------------------------------------------------------

    @Test
    void shouldTellConnectionsThatTheProcessEndsInOrder() throws IOException {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        FakeMovable end = connection(LISTENER);
        FakeMovable other = end.mirrored();
        server.accepted(other);
        client.request(end, Pace.AT_ONCE);
        expectPaired(end, other);
        server.end(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        assertThat(other.events).containsExactly("hear", "speak", "exits");
        assertThat(end.events).as("those of a process that goes on").doesNotContain("exits");
    }

    // -- plain -------------------------------------------------------------------------------------------------------

    @Test
    void shouldStayPlainWhereNobodySpeaksIt() {
        Pairings client = process();
        FakeMovable end = connection(LISTENER);
        client.request(end, Pace.AT_ONCE);
        expectPlain(end, Route.NOBODY);
    }

    @Test
    void shouldStayPlainWhereTheAddressIsUnknown() {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        FakeMovable end = connection(LISTENER);
        server.accepted(connection(LISTENER).mirrored());
        client.request(end, Pace.AT_ONCE);
        expectPlain(end, "address unknown to the peer");
        expectStillWorking(client, server);
        // What the first took has been given back.
        assertThat(client.memoryHeld()).isEqualTo(64 << 10);
    }

    @Test
    void shouldStayPlainWhereTwoHaveTheAddress() {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        FakeMovable end = connection(LISTENER);
        FakeMovable old = end.mirrored();
        server.accepted(old);
        server.accepted(end.mirrored());
        client.request(end, Pace.AT_ONCE);
        expectPlain(end, "address unknown to the peer");
        // Once the old one is closed there is no doubt.
        FakeMovable again = new FakeMovable(end.local, end.remote);
        client.request(again, Pace.AT_ONCE);
        server.closed(old);
        expectEvents(again, "hear", "speak");
        assertThat(old.events).isEmpty();
    }

    @Test
    void shouldStayPlainWhereAnEndIsNotEstablished() {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        FakeMovable end = connection(LISTENER);
        FakeMovable other = end.mirrored();
        other.established = false;
        server.accepted(other);
        client.request(end, Pace.AT_ONCE);
        expectPlain(end, "the peer has closed it");
        FakeMovable closed = connection(LISTENER);
        closed.established = false;
        client.request(closed, Pace.AT_ONCE);
        expectPlain(closed, "it is closed");
        expectStillWorking(client, server);
    }

    @Test
    void shouldStayPlainWhereTheServersEndDoesNotListen() {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        FakeMovable end = connection(LISTENER);
        FakeMovable other = end.mirrored();
        other.hears = false;
        server.accepted(other);
        client.request(end, Pace.AT_ONCE);
        expectPlain(end, "the peer has closed it");
        assertThat(other.events).isEmpty();
        expectStillWorking(client, server);
    }

    @Test
    void shouldStayPlainWithLinkLocalAddresses() throws Exception {
        InetSocketAddress address = new InetSocketAddress("fe80::1", 4711);
        FakeMovable end = new FakeMovable(new InetSocketAddress("fe80::2", 1), address);
        process().request(end, Pace.AT_ONCE);
        expectPlain(end, "link-local");
    }

    @Test
    void shouldStayPlainWhereTheDirectoryIsNotOurs() throws IOException {
        Files.createDirectory(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Pairings client = process();
        client.listening(LISTENER);
        FakeMovable end = connection(LISTENER);
        client.request(end, Pace.AT_ONCE);
        expectPlain(end, directory.toRealPath() + " has the rights 755, not 700");
        assertThat(client.unavailable()).isEqualTo(end.plainReason);
        assertThat(client.listenerProblems()).containsEntry(LISTENER, end.plainReason);
    }

    @Test
    void shouldStayPlainWithoutMemory() {
        Pairings server = listening(LISTENER);
        Pairings client = process(64 << 10, QUICK);
        for (int i = 0; i < 16; i++) {
            expectStillWorking(client, server);
        }
        FakeMovable end = request(client, server);
        expectPlain(end, "as much memory for rings as it may");
        // The other way round the server says so.
        Pairings poor = process(4 << 10, QUICK);
        InetSocketAddress other = new InetSocketAddress("127.0.0.1", 4712);
        poor.listening(other);
        FakeMovable refused = connection(other);
        poor.accepted(refused.mirrored());
        process().request(refused, Pace.AT_ONCE);
        expectPlain(refused, "at the peer: the process holds as much memory");
    }

    @Test
    void shouldNotHaveANameThatAnotherProcessHas() throws Exception {
        Pairings first = process();
        Closeable name = first.listening(LISTENER);
        eventually().until(() -> names("l-").size() == 1);
        Pairings second = process();
        second.listening(LISTENER);
        eventually()
                .untilAsserted(() -> assertThat(second.listenerProblems())
                        .containsEntry(LISTENER, "the name of the listener is held by another process"));
        Pairings client = process();
        expectStillWorking(client, first);
        // The other goes on to listen, and its client asks the first meanwhile.
        FakeMovable end = request(client, second);
        name.close();
        expectEvents(end, "hear", "speak");
        assertThat(second.listenerProblems()).isEmpty();
        expectStillWorking(client, second);
    }

    /** As where ports are used again at once: the name stays for a little with who had the port before. */
    @Test
    void shouldHaveItsNameBehindItsEndWhereItCouldNotBefore() throws Exception {
        Pairings first = process();
        Closeable name = first.listening(LISTENER);
        Pairings second = process(MEMORY, LONGER_LINGER);
        second.listening(new InetSocketAddress("127.0.0.1", 4712));
        eventually().until(() -> names("l-").size() == 2);
        name.close();
        second.listening(LISTENER).close();

        Pairings client = process();
        FakeMovable end = request(client, second);
        expectEvents(end, "hear", "speak");
        eventually().until(() -> names("l-").size() == 1);
    }

    @Test
    void shouldReplaceTheNameOfADeadProcess() throws IOException {
        Pairings dead = listening(LISTENER);
        kill(dead);
        assertThat(names("l-")).hasSize(1);
        Pairings server = process();
        server.listening(LISTENER);
        eventually().untilAsserted(() -> assertThat(server.listenerProblems()).isEmpty());
        expectStillWorking(process(), server);
        // And so is its socket gone.
        eventually().until(() -> names("p-").size() == 2);
    }

    // -- taken back --------------------------------------------------------------------------------------------------

    @Test
    void shouldUseTheBlockOfACancelledPairingAgain() {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        FakeMovable end = connection(LISTENER);
        FakeMovable other = end.mirrored();
        // Closed while the server answers.
        other.atHear = () -> end.established = false;
        server.accepted(other);
        client.request(end, Pace.AT_ONCE);
        expectEvents(other, "hear", "unhear");
        expectPlain(end, "it is closed");
        for (int i = 0; i < 16; i++) {
            expectStillWorking(client, server);
        }
        assertThat(client.memoryHeld()).isEqualTo(64 << 10);
        assertThat(server.memoryHeld()).isEqualTo(64 << 10);
    }

    @Test
    void shouldForgetWhatIsClosed() {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        FakeMovable end = connection(LISTENER);
        FakeMovable other = end.mirrored();
        server.accepted(other);
        server.closed(other);
        client.request(end, Pace.AT_ONCE);
        client.closed(end);
        expectStillWorking(client, server);
        assertThat(other.events).isEmpty();
        assertThat(end.events).isEmpty();
    }

    @Test
    void shouldNotTellClosedConnectionsOfTheEnd() throws IOException {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        FakeMovable open = connection(LISTENER);
        FakeMovable closed = connection(LISTENER);
        server.accepted(open.mirrored());
        server.accepted(closed.mirrored());
        client.request(open, Pace.AT_ONCE);
        client.request(closed, Pace.AT_ONCE);
        expectEvents(open, "hear", "speak");
        expectEvents(closed, "hear", "speak");
        client.closed(closed);
        kill(server);
        expectEvents(open, "hear", "speak", "ended");
        expectEvents(closed, "hear", "speak");
    }

    /** The block is the session's again once the peer is done with it. */
    @Test
    void shouldRetireTheBlockOfAConnectionThatWasClosedMeanwhile() {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        FakeMovable end = connection(LISTENER);
        FakeMovable other = end.mirrored();
        end.speaks = false;
        server.accepted(other);
        client.request(end, Pace.AT_ONCE);
        expectEvents(end, "hear");
        expectEvents(other, "hear", "speak");
        // The server's end sees that nothing comes.
        other.heard.putInt(16, 1);
        for (int i = 0; i < 16; i++) {
            expectStillWorking(client, server);
        }
        assertThat(client.memoryHeld()).isEqualTo(64 << 10);
    }

    // -- ends --------------------------------------------------------------------------------------------------------

    @Test
    void shouldTellBothEndsOfTheEnd() throws Exception {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        FakeMovable end = connection(LISTENER);
        FakeMovable other = end.mirrored();
        server.accepted(other);
        client.request(end, Pace.AT_ONCE);
        expectPaired(end, other);
        // Too large to be known to the peer before it dies.
        Block last = other.memory.allocate(1 << 20);
        last.memory().putInt(0, 77);
        kill(server);
        expectEvents(end, "hear", "speak", "ended");
        assertThat(end.memory.isAlive()).isFalse();
        eventually().until(() -> client.openSessions() == 0);
        assertThat(client.memoryHeld()).isZero();
        // What it wrote last can be read all the same.
        assertThat(end.memory
                        .peerBlock(last.slab(), last.offset(), last.bytes())
                        .getInt(0))
                .isEqualTo(77);
        FakeMovable late = connection(LISTENER);
        client.request(late, Pace.AT_ONCE);
        expectPlain(late, Route.NOBODY);
        expectStillWorking(client, listening(LISTENER));
    }

    @Test
    void shouldTellTheServerOfTheEnd() throws Exception {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        FakeMovable end = connection(LISTENER);
        FakeMovable other = end.mirrored();
        server.accepted(other);
        client.request(end, Pace.AT_ONCE);
        expectPaired(end, other);
        kill(client);
        expectEvents(other, "hear", "speak", "ended");
        expectStillWorking(process(), server);
    }

    @Test
    void shouldSurviveWhatConnectionsThrow() {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        FakeMovable end = connection(LISTENER);
        FakeMovable other = end.mirrored();
        other.atHear = () -> {
            throw new IllegalStateException("at the server");
        };
        server.accepted(other);
        client.request(end, Pace.AT_ONCE);
        expectPlain(end, "the session with the peer is over");
        expectStillWorking(client, server);
        FakeMovable next = connection(LISTENER);
        next.atSpeak = () -> {
            throw new AssertionError("at the client");
        };
        server.accepted(next.mirrored());
        client.request(next, Pace.AT_ONCE);
        expectEvents(next, "hear", "ended");
        expectStillWorking(client, server);
    }

    @Test
    void shouldLeaveNothingBehind() throws IOException {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        expectStillWorking(client, server);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        client.end(deadline);
        server.end(deadline);
        assertThat(System.nanoTime()).isLessThan(deadline);
        assertThat(names("")).isEmpty();
        assertThat(client.openSessions()).isEqualTo(1);
    }

    /** The names of memory that a living peer has not mapped stay, and those by which it is found to be a leftover later. */
    @Test
    void shouldWaitAtTheEndForPeersThatHaveNotMapped() throws IOException {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        expectStillWorking(client, server);
        eventually().until(() -> names("s-").isEmpty());
        String unmapped = names("p-").get(0).replace("p-", "s-") + "-1000";
        Files.createFile(directory.resolve(unmapped));
        long begin = System.nanoTime();
        client.end(begin + TimeUnit.MILLISECONDS.toNanos(200));
        server.end(begin + TimeUnit.MILLISECONDS.toNanos(200));
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
        assertThat(names("")).containsExactly(unmapped.substring(0, 34).replace("s-", "p-"), unmapped);
        kill(client);
        kill(server);
        process().listening(LISTENER);
        eventually().until(() -> names("s-").isEmpty() && names("p-").size() == 1);
    }

    @Test
    void shouldCostNothingWhereNothingHappens() {
        Pairings idle = process();
        idle.accepted(connection(LISTENER));
        idle.closed(connection(LISTENER));
        idle.end(System.nanoTime());
        assertThat(directory).doesNotExist();
        idle.listening(LISTENER);
        assertThat(directory).doesNotExist();
    }
}
