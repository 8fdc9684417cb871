package org.ucxnio.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.launch.Scenario.Layout;

class VariantTest {
    private static final Set<Provider> ALL = EnumSet.allOf(Provider.class);

    @Test
    void shouldPutTheJdkFirst() {
        assertThat(Variant.of(Layout.PAIR, ALL)).containsExactly(Variant.JDK, Variant.UCXNIO, Variant.UCX);
        assertThat(Variant.of(Layout.PLAIN, ALL)).containsExactly(Variant.JDK, Variant.OUR_CLIENT, Variant.OUR_SERVER);
    }

    @Test
    void shouldLeaveOutWhatIsNotWanted() {
        assertThat(Variant.of(Layout.PAIR, Set.of(Provider.JDK, Provider.UCX)))
                .containsExactly(Variant.JDK, Variant.UCX);
        assertThat(Variant.of(Layout.PLAIN, Set.of(Provider.JDK, Provider.UCX))).containsExactly(Variant.JDK);
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
        assertThat(Variant.UCX.expected(young, Provider.UCX)).isEqualTo(Expectation.UCX);
    }
}
