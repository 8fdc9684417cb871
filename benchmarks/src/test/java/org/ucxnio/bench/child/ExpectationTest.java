package org.ucxnio.bench.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExpectationTest {
    private static final Carried IN_RINGS = carried(900, 0, 100, 2, 0);
    private static final Carried OVER_UCX = carried(0, 900, 100, 0, 2);
    private static final Carried OVER_TCP = carried(0, 0, 1000, 0, 0);

    @ParameterizedTest
    @EnumSource
    void shouldSurviveItsSetting(Expectation expected) {
        assertThat(Expectation.of(expected.setting())).isEqualTo(expected);
    }

    @Test
    void shouldBeContentWithWhatIsExpected() {
        assertThat(Expectation.RINGS.complaint(IN_RINGS, 2)).isEmpty();
        assertThat(Expectation.UCX.complaint(OVER_UCX, 2)).isEmpty();
        assertThat(Expectation.TCP.complaint(OVER_TCP, 2)).isEmpty();
        assertThat(Expectation.TCP_OR_RINGS.complaint(OVER_TCP, 2)).isEmpty();
        assertThat(Expectation.TCP_OR_RINGS.complaint(IN_RINGS, 2)).isEmpty();
        assertThat(Expectation.TCP_OR_UCX.complaint(OVER_TCP, 2)).isEmpty();
        assertThat(Expectation.TCP_OR_UCX.complaint(OVER_UCX, 2)).isEmpty();
        assertThat(Expectation.ANY.complaint(Carried.ABSENT, 2)).isEmpty();
    }

    @Test
    void shouldComplainOfBytesThatWentAnotherWay() {
        assertThat(Expectation.RINGS.complaint(OVER_TCP, 2)).contains("0 of 2", "over TCP: 1000");
        assertThat(Expectation.RINGS.complaint(OVER_UCX, 2)).contains("ring", "over UCX: 900");
        assertThat(Expectation.RINGS.complaint(carried(100, 0, 900, 2, 0), 2)).contains("over TCP: 900");
        assertThat(Expectation.UCX.complaint(IN_RINGS, 2)).contains("0 of 2", "in rings: 900");
        assertThat(Expectation.TCP.complaint(IN_RINGS, 2)).contains("900 bytes went through rings");
        assertThat(Expectation.TCP.complaint(OVER_UCX, 2)).contains("900 over UCX");
        assertThat(Expectation.TCP_OR_RINGS.complaint(OVER_UCX, 2)).contains("900 bytes went over UCX");
        assertThat(Expectation.TCP_OR_UCX.complaint(IN_RINGS, 2)).contains("900 bytes went through rings");
    }

    @Test
    void shouldComplainOfAConnectionThatDidNotMove() {
        assertThat(Expectation.RINGS.complaint(IN_RINGS, 3)).contains("2 of 3");
        assertThat(Expectation.UCX.complaint(OVER_UCX, 3)).contains("2 of 3");
    }

    @Test
    void shouldComplainOfAProviderThatIsOffOrMissing() {
        Carried off = new Carried(true, false, "no libucx", 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());

        assertThat(Expectation.UCX.complaint(off, 1)).endsWith("no libucx");
        assertThat(Expectation.TCP_OR_RINGS.complaint(off, 1)).endsWith("no libucx");
        assertThat(Expectation.RINGS.complaint(Carried.ABSENT, 1)).contains("class path");
    }

    private static Carried carried(long ring, long ucx, long tcp, int inRings, int overUcx) {
        return new Carried(true, true, "", ring, 0, ucx, 0, tcp, 0, inRings, overUcx, 0, List.of());
    }
}
