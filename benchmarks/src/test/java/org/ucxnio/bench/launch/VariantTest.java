package org.ucxnio.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.launch.Scenario.Layout;

class VariantTest {
    private static final Scenario PAIR = Scenario.of("pair", "a pair", "program");
    private static final Scenario PLAIN = PAIR.in(Layout.PLAIN);

    @Test
    void shouldPutTheJdkFirst() {
        assertThat(Variant.of(PAIR, Provider.ALL)).containsExactly(Variant.JDK, Variant.UCXNIO, Variant.UCX);
        assertThat(Variant.of(PLAIN, Provider.ALL))
                .containsExactly(Variant.JDK, Variant.OUR_CLIENT, Variant.OUR_SERVER);
        assertThat(Variant.of(PAIR.in(Layout.NETWORK), Provider.ALL)).containsExactly(Variant.JDK, Variant.UCX);
    }

    @Test
    void shouldLeaveOutWhatIsNotWanted() {
        assertThat(Variant.of(PAIR, List.of(Provider.JDK, Provider.UCX))).containsExactly(Variant.JDK, Variant.UCX);
        assertThat(Variant.of(PLAIN, List.of(Provider.JDK, Provider.UCX))).containsExactly(Variant.JDK);
    }

    @Test
    void shouldRunOnWhatABenchmarkIsWrittenFor() {
        Provider other = Provider.other("org.example.Provider", Path.of("example.jar"), "");
        List<Provider> wanted = List.of(Provider.JDK, Provider.UNIX, Provider.EPOLL, Provider.AERON, other);

        assertThat(labels(PAIR, wanted)).containsExactly("JDK", "Provider");
        assertThat(labels(PAIR.also(Provider.UNIX, Provider.AERON), wanted))
                .containsExactly("JDK", "JDK, Unix-domain", "Aeron IPC", "Provider");
        assertThat(labels(PAIR.only(Provider.EPOLL), wanted)).containsExactly("Netty epoll");
    }

    @Test
    void shouldHaveTheJarOfAnotherProviderOnItsClassPath() {
        Provider other = Provider.other("org.example.Provider", Path.of("example.jar"), "");

        assertThat(new JvmCommand(other).main("Main").toList())
                .contains("-Djava.nio.channels.spi.SelectorProvider=org.example.Provider")
                .anySatisfy(word -> assertThat(word).startsWith("example.jar:"));
    }

    @Test
    void shouldNameWhatCannotBeRunOnAColumn() {
        List<Scenario> scenarios = Catalogue.find("grpc-c-4");

        assertThat(Variant.leftOut(scenarios, Provider.EPOLL))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("grpc-c-4", "epoll"));
        assertThat(Variant.leftOut(scenarios, Provider.UCXNIO)).isEmpty();
        assertThat(Variant.leftOut(List.of(PLAIN), Provider.UCX)).hasSize(1);
    }

    private static List<String> labels(Scenario scenario, List<Provider> wanted) {
        return Variant.of(scenario, wanted).stream().map(Variant::label).toList();
    }

    @Test
    void shouldExpectWhatCarriesConnectionsThatLive() {
        Scenario scenario = Catalogue.find("rtt-blocking").getFirst();

        assertThat(Variant.JDK.expected(scenario, Provider.JDK)).isEqualTo(Expectation.ANY);
        assertThat(Variant.UCXNIO.expected(scenario, Provider.UCXNIO)).isEqualTo(Expectation.RINGS);
        assertThat(Variant.UCX.expected(scenario, Provider.UCX)).isEqualTo(Expectation.UCX);
        assertThat(Variant.OUR_CLIENT.expected(scenario, Provider.UCXNIO)).isEqualTo(Expectation.TCP);
        assertThat(Variant.OUR_CLIENT.expected(scenario, Provider.JDK)).isEqualTo(Expectation.ANY);
    }

    @Test
    void shouldExpectNoRingsWhereConnectionsMayStay() {
        assertThat(Catalogue.all().stream().filter(Scenario::mayStay).map(Scenario::name))
                .contains("connect", "short", "first", "process", "threads-32-work", "netty-work-4x16")
                .doesNotContain("rtt-blocking", "many-32", "memory");
        Scenario young = Catalogue.find("short").getFirst();

        assertThat(Variant.UCXNIO.expected(young, Provider.UCXNIO)).isEqualTo(Expectation.TCP_OR_RINGS);
        assertThat(Variant.UCX.expected(young, Provider.UCX)).isEqualTo(Expectation.TCP_OR_UCX);
    }
}
