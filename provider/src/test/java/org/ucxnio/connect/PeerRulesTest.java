package org.ucxnio.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.config.Config;
import org.ucxnio.session.UserIds;

class PeerRulesTest {
    private static final String REASON = "peer in a bad mood";

    private static final String TRUSTED = "198.51.100.0/24";

    private final TestPosix posix = new TestPosix();

    /** What the kernel says about the numbers of users; empty means that it says nothing. */
    @TempDir
    private Path proc;

    private boolean hostOverUcx = true;

    private PeerRules rules(boolean networkUsable, String... properties) {
        Map<String, String> values = new HashMap<>(Map.of(Config.TRUST, TRUSTED));
        for (int i = 0; i < properties.length; i += 2) {
            values.put(properties[i], properties[i + 1]);
        }
        return new PeerRules(Config.from(values::get), posix, UserIds.readFrom(proc), networkUsable, hostOverUcx);
    }

    private static InetSocketAddress address(String host, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void shouldKnowTheAddressesOfThisHost() throws Exception {
        PeerRules rules = rules(true);
        for (String local : new String[] {"127.0.0.1", "127.9.9.9", "::1", "0.0.0.0", "::"}) {
            assertThat(rules.isLocal(InetAddress.getByName(local))).as(local).isTrue();
        }
        NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .forEach(own -> assertThat(rules.isLocal(own)).as("%s", own).isTrue());
        for (String remote : new String[] {"198.51.100.1", "203.0.113.1", "2001:db8::1"}) {
            assertThat(rules.isLocal(InetAddress.getByName(remote))).as(remote).isFalse();
            assertThat(rules.isLocal(InetAddress.getByName(remote)))
                    .as("%s again", remote)
                    .isFalse();
        }
    }

    @Test
    void shouldTryACompanionOnThisHostAndInTrustedNetworks() {
        assertThat(rules(true).plainReason(address("127.0.0.1", 80))).isNull();
        assertThat(rules(false).plainReason(address("127.0.0.1", 80))).isNull();
        assertThat(rules(true).plainReason(address("198.51.100.9", 80))).isNull();
        assertThat(rules(true).plainReason(address("203.0.113.1", 80)))
                .isEqualTo("peer on another host that is not trusted");
        assertThat(rules(false).plainReason(address("198.51.100.9", 80)))
                .as("no transport leads there")
                .isEqualTo("peer on another host that is not trusted");
    }

    @Test
    void shouldLeaveThisHostToTheKernelUnlessToldOtherwise() {
        hostOverUcx = false;
        InetSocketAddress here = address("127.0.0.1", 5000);
        PeerRules rules = rules(true, Config.TRUST, TRUSTED + ",127.0.0.0/8");

        assertThat(rules.plainReason(here)).isEqualTo("peer on this host, and ucxnio.host is not ucx");
        assertThat(rules.distrust(here, address("127.0.0.1", 6000))).isEqualTo(rules.plainReason(here));
        assertThat(rules.plainReason(address("198.51.100.9", 80))).isNull();
        assertThat(rules.distrust(address("198.51.100.1", 5000), address("198.51.100.9", 80)))
                .isNull();
    }

    @Test
    void shouldRememberThatAPortHasNoCompanion() {
        PeerRules rules = rules(true);
        rules.rememberPlain(address("127.0.0.1", 80), REASON);

        assertThat(rules.plainReason(address("127.0.0.1", 80))).isEqualTo(REASON);
        assertThat(rules.plainReason(address("127.0.0.1", 81))).isNull();
        assertThat(rules.plainReason(address("127.0.0.2", 80))).isNull();
    }

    @Test
    void shouldForgetAfterTheTimeConfigured() {
        PeerRules rules = rules(true, Config.PLAIN_MEMORY, "20ms");
        rules.rememberPlain(address("127.0.0.1", 80), REASON);

        await().until(() -> rules.plainReason(address("127.0.0.1", 80)) == null);
    }

    @Test
    void shouldRememberNothingWhenToldSo() {
        PeerRules rules = rules(true, Config.PLAIN_MEMORY, "0s");
        rules.rememberPlain(address("127.0.0.1", 80), REASON);

        assertThat(rules.plainReason(address("127.0.0.1", 80))).isNull();
    }

    @Test
    void shouldForgetAPortThatAListenerOfThisProcessTook() {
        PeerRules rules = rules(true);
        rules.rememberPlain(address("127.0.0.1", 80), REASON);
        rules.rememberPlain(address("127.0.0.2", 80), REASON);
        rules.rememberPlain(address("127.0.0.1", 81), REASON);

        rules.forgetPort(80);

        assertThat(rules.plainReason(address("127.0.0.1", 80))).isNull();
        assertThat(rules.plainReason(address("127.0.0.2", 80))).isNull();
        assertThat(rules.plainReason(address("127.0.0.1", 81))).isNotNull();
    }

    @Test
    void shouldNotRememberWithoutBound() {
        PeerRules rules = rules(true);
        for (int port = 1; port < 10_000; port++) {
            rules.rememberPlain(address("127.0.0.1", port), REASON);
        }
        int remembered = 0;
        for (int port = 1; port < 10_000; port++) {
            remembered += rules.plainReason(address("127.0.0.1", port)) == null ? 0 : 1;
        }
        assertThat(remembered).isBetween(1, 4096);
        assertThat(rules.plainReason(address("127.0.0.1", 9_999))).isNotNull();
    }

    @Test
    void shouldTrustProcessesOfTheSameUserOnly() {
        PeerRules rules = rules(true);
        InetSocketAddress here = address("127.0.0.1", 5000);
        InetSocketAddress there = address("127.0.0.1", 6000);
        assertThat(rules.distrust(here, there)).isNull();
        assertThat(posix.askedLocal).as("the socket at the other end").isEqualTo(there);
        assertThat(posix.askedRemote).isEqualTo(here);

        posix.owner = TestPosix.OWN_USER + 1;
        assertThat(rules.distrust(here, there)).isEqualTo("peer of another user");
        posix.owner = 0;
        assertThat(rules.distrust(here, there)).as("not even root").isEqualTo("peer of another user");
        posix.owner = -1;
        assertThat(rules.distrust(here, there)).isEqualTo("peer of unknown user");
    }

    @Test
    void shouldNotTrustANumberThatStandsForSeveralUsers() throws Exception {
        InetSocketAddress here = address("127.0.0.1", 5000);
        InetSocketAddress there = address("127.0.0.1", 6000);
        Files.writeString(Files.createDirectories(proc.resolve("sys/kernel")).resolve("overflowuid"), "1000\n");
        Path map = Files.createDirectory(proc.resolve("self")).resolve("uid_map");

        Files.writeString(map, "0 100000 65536\n");
        assertThat(rules(true).distrust(here, there)).isEqualTo("peer whose user number stands for several users");
        Files.writeString(map, "0 0 4294967295\n");
        assertThat(rules(true).distrust(here, there)).isNull();
    }

    @Test
    void shouldAskForTheUserOnThisHostEvenWhereItsNetworkIsTrusted() {
        posix.owner = -1;

        assertThat(rules(true, Config.TRUST, "127.0.0.0/8").distrust(address("127.0.0.1", 1), address("127.0.0.1", 2)))
                .isEqualTo("peer of unknown user");
    }

    @Test
    void shouldTrustOtherHostsByTheirNetwork() {
        posix.owner = -1;
        InetSocketAddress here = address("198.51.100.1", 5000);

        assertThat(rules(true).distrust(here, address("198.51.100.2", 6000))).isNull();
        assertThat(rules(true).distrust(here, address("203.0.113.1", 6000))).isNotNull();
        assertThat(rules(false).distrust(here, address("198.51.100.2", 6000))).isNotNull();
    }
}
