package org.ucxnio.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.testing.ChildJvm;

class TrustTest {
    private static boolean trusts(String networks, String address) throws UnknownHostException {
        return Trust.parse(Config.TRUST, networks).contains(InetAddress.getByName(address));
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.0.0/16, 10.1.0.0, true",
        "10.1.0.0/16, 10.1.255.255, true",
        "10.1.0.0/16, 10.2.0.0, false",
        "10.1.0.0/16, 10.0.255.255, false",
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.2, false",
        "10.1.2.3/32, 10.1.2.3, true",
        "10.1.2.128/25, 10.1.2.128, true",
        "10.1.2.128/25, 10.1.2.127, false",
        "10.1.2.0/31, 10.1.2.1, true",
        "10.1.2.0/31, 10.1.2.2, false",
        "128.0.0.0/1, 255.0.0.1, true",
        "128.0.0.0/1, 127.255.255.255, false",
        "0.0.0.0/0, 203.0.113.9, true"
    })
    void shouldMatchNetworksOfVersionFour(String networks, String address, boolean expected) throws Exception {
        assertThat(trusts(networks, address)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "fd00::/8, fdff:1::1, true",
        "fd00::/8, fc00::1, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "2001:db8::1, 2001:db8::1, true",
        "2001:db8::1, 2001:db8::2, false",
        "2001:db8::1/128, 2001:db8::1, true",
        "::/0, 2001:db8::1, true"
    })
    void shouldMatchNetworksOfVersionSix(String networks, String address, boolean expected) throws Exception {
        assertThat(trusts(networks, address)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0/0, 2001:db8::1", "::/0, 10.1.2.3"})
    void shouldKeepTheVersionsApart(String networks, String address) throws Exception {
        assertThat(trusts(networks, address)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"10.1.2.3/16, 10.1.200.200, true", "10.1.2.3/16, 10.2.2.3, false", "fd00::dead/8, fd11::1, true"})
    void shouldIgnoreHostBits(String networks, String address, boolean expected) throws Exception {
        assertThat(trusts(networks, address)).isEqualTo(expected);
    }

    @Test
    void shouldTakeAListWithBlanksAndEmptyItems() throws Exception {
        String networks = " 10.1.0.0/16 ,, fd00::/8 , 192.168.7.1 ,";

        assertThat(trusts(networks, "10.1.9.9")).isTrue();
        assertThat(trusts(networks, "fd00::1")).isTrue();
        assertThat(trusts(networks, "192.168.7.1")).isTrue();
        assertThat(trusts(networks, "192.168.7.2")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ",", " , "})
    void shouldTrustNobodyByDefault(String networks) throws Exception {
        assertThat(Trust.parse(Config.TRUST, networks).isEmpty()).isTrue();
        assertThat(trusts(networks, "127.0.0.1")).isFalse();
    }

    @Test
    void shouldPrintWhatItWasMadeFrom() {
        assertThat(Trust.parse(Config.TRUST, "10.1.0.0/16,fd00::/8")).hasToString("10.1.0.0/16,fd00::/8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.1.0.0/33",
                "10.1.0.0/-1",
                "10.1.0.0/",
                "10.1.0.0/x",
                "10.1.0.0/8/8",
                "10.1.0.0/255.255.0.0",
                "fd00::/129",
                "/8",
                "10",
                "*",
                "localhost",
                "example.com",
                "example.com/24",
                "10.1.0.0/16;10.2.0.0/16",
                "10.1.0.0-10.1.0.9",
                "fd00:::1/8",
                "10.1.0.0/16,nonsense"
            })
    void shouldRefuseWhatIsNoNetwork(String networks) {
        assertThatThrownBy(() -> Trust.parse(Config.TRUST, networks))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(Config.TRUST + "=" + networks)
                .hasMessageContaining("10.1.0.0/16");
    }

    /** Java reads "10.1" as 10.0.0.1, which is not what somebody means who writes 10.1/16. */
    @ParameterizedTest
    @ValueSource(strings = {"10.1/16", "10.1.2/24", "10.", "10.1.2.3.4", "256.1.1.1", "010.1.2.3.", ".1.2.3"})
    void shouldRefuseAbbreviatedAndMalformedAddresses(String networks) {
        assertThatThrownBy(() -> Trust.parse(Config.TRUST, networks)).isInstanceOf(ConfigException.class);
    }

    /** Names made of hexadecimal letters look like addresses, but whoever answers the look-up would decide who is trusted. */
    @Test
    void shouldNeverLookUpAName(@TempDir Path directory) throws IOException, InterruptedException {
        Path hosts = Files.writeString(directory.resolve("hosts"), "10.9.8.7 cafe.de\n");
        List<String> flags = List.of("-Djdk.net.hosts.file=" + hosts);

        try (ChildJvm child = ChildJvm.start(flags, Map.of(), ParseMain.class, "cafe.de")) {
            assertThat(child.expect("result")).isEqualTo("refused");
        }
    }

    /** Parses its argument in a JVM in which a name resolves. */
    static final class ParseMain {
        private ParseMain() {}

        public static void main(String[] arguments) throws UnknownHostException {
            InetAddress.getByName(arguments[0]);
            try {
                Trust.parse(Config.TRUST, arguments[0]);
                System.out.println("result accepted");
            } catch (ConfigException e) {
                System.out.println("result refused");
            }
        }
    }
}
