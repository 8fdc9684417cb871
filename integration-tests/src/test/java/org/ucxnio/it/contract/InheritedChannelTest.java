package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.programs.Inherited;

/** A process whose standard input is a socket, as inetd and systemd start it, gets the JDK's channel for it, and selects with it. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#flavours")
class InheritedChannelTest {
    private static final String LISTEN = "use Socket; socket(my $s, PF_INET, SOCK_STREAM, 0) or die $!;"
            + "bind($s, sockaddr_in(0, INADDR_LOOPBACK)) or die $!; listen($s, 5) or die $!;";
    private static final String ACCEPT = LISTEN
            + "$| = 1; my ($port) = sockaddr_in(getsockname($s)); print \"PORT $port\\n\";"
            + "accept(my $c, $s) or die $!; close($s); $s = $c;";
    private static final String DATAGRAMS = "use Socket; socket(my $s, PF_INET, SOCK_DGRAM, 0) or die $!;"
            + "bind($s, sockaddr_in(0, INADDR_LOOPBACK)) or die $!;";
    private static final String BECOME_INPUT = "open(STDIN, '<&', $s) or die $!; exec { $ARGV[0] } @ARGV; die $!;";

    @Parameter
    private Flavour flavour;

    @BeforeAll
    static void needPerl() throws InterruptedException {
        boolean found;
        try {
            found = new ProcessBuilder("perl", "-e", "use Socket").start().waitFor() == 0;
        } catch (IOException e) {
            found = false;
        }
        assumeTrue(found, "perl, which makes the sockets that are inherited, is missing");
    }

    private ChildJvm start(String script, String... flags) throws IOException {
        return JvmBuilder.of(flavour, Inherited.class)
                .prefix("perl", "-e", script + BECOME_INPUT)
                .flags(flags)
                .start();
    }

    private void expectOurSelector(ChildJvm child) {
        assertThat(child.expect("STATE")).isEqualTo("blocking=true registered=false");
        assertThat(child.expect("SELECTOR"))
                .startsWith(flavour == Flavour.JDK ? "sun.nio.ch." : "org.ucxnio.selector.");
    }

    private static InetSocketAddress local(ChildJvm child) {
        String[] address = child.expect("LOCAL").split(":");
        assertThat(address[0]).isEqualTo("127.0.0.1");
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address[1]));
    }

    private static Socket connect(InetSocketAddress address) throws IOException {
        return new Socket(address.getAddress(), address.getPort());
    }

    private static void exchange(Socket socket, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        socket.getOutputStream().write(bytes);
        assertThat(socket.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
    }

    private static void expectEnd(ChildJvm child) throws InterruptedException {
        assertThat(child.awaitExit(ChildJvm.PATIENCE)).as(child::evidence).isZero();
    }

    @Test
    void shouldAcceptFromAListeningSocket() throws Exception {
        try (ChildJvm child = start(LISTEN)) {
            assertThat(child.expect("KIND")).isEqualTo("sun.nio.ch.InheritedChannel$InheritedServerSocketChannelImpl");
            assertThat(child.expect("SAME")).isEqualTo("true");
            expectOurSelector(child);
            InetSocketAddress address = local(child);
            try (Socket first = connect(address)) {
                exchange(first, "blocking");
                assertThat(first.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(child.expect("ACCEPTED")).isEqualTo("sun.nio.ch.SocketChannelImpl");
            try (Socket second = connect(address)) {
                exchange(second, "selected");
                assertThat(second.getInputStream().read()).isEqualTo(-1);
            }
            child.expect("SERVED");
            expectEnd(child);
        }
    }

    @Test
    void shouldTalkOverAConnectedSocket() throws Exception {
        try (ChildJvm child = start(ACCEPT)) {
            int port = Integer.parseInt(child.expect("PORT"));
            try (Socket client = connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                assertThat(child.expect("KIND")).isEqualTo("sun.nio.ch.InheritedChannel$InheritedSocketChannelImpl");
                assertThat(child.expect("SAME")).isEqualTo("true");
                expectOurSelector(child);
                assertThat(local(child).getPort()).isEqualTo(port);
                assertThat(child.expect("REMOTE")).isEqualTo("127.0.0.1:" + client.getLocalPort());
                assertThat(child.expect("CONNECTED")).isEqualTo("true");
                exchange(client, "blocking");
                exchange(client, "selected");
                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }
            child.expect("SERVED");
            expectEnd(child);
        }
    }

    @Test
    void shouldAnswerDatagrams() throws Exception {
        // Without the flag the JDK takes every datagram socket for one of IPv6 and cannot send through this one.
        try (ChildJvm child = start(DATAGRAMS, "-Djava.net.preferIPv4Stack=true");
                DatagramSocket client = new DatagramSocket()) {
            assertThat(child.expect("KIND")).isEqualTo("sun.nio.ch.InheritedChannel$InheritedDatagramChannelImpl");
            assertThat(child.expect("SAME")).isEqualTo("true");
            expectOurSelector(child);
            client.setSoTimeout(20_000);
            client.connect(local(child));
            for (String text : new String[] {"blocking", "selected"}) {
                byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
                client.send(new DatagramPacket(bytes, bytes.length));
                DatagramPacket answer = new DatagramPacket(new byte[100], 100);
                client.receive(answer);
                assertThat(new String(answer.getData(), 0, answer.getLength(), StandardCharsets.US_ASCII))
                        .isEqualTo(text);
            }
            child.expect("SERVED");
            expectEnd(child);
        }
    }

    @Test
    void shouldInheritNothingWhereStandardInputIsNoSocket() throws Exception {
        try (ChildJvm child = JvmBuilder.of(flavour, Inherited.class).start()) {
            assertThat(child.expect("KIND")).isEqualTo("none");
            expectEnd(child);
        }
    }
}
