package org.ucxnio.bench.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CarriedTest {
    @Test
    void shouldSurviveItsLine() {
        Carried carried = new Carried(true, true, "", 1, 2, 3, 4, 5, 6, List.of("posix/memory", "tcp/eth0"));

        assertThat(Carried.decode(carried.encode())).isEqualTo(carried);
        assertThat(Carried.decode(Carried.ABSENT.encode())).isEqualTo(Carried.ABSENT);
    }

    @Test
    void shouldKeepToOneLineWhateverTheReason() {
        Carried carried = new Carried(true, false, "no\tlibucx\nhere", 0, 0, 0, 0, 0, 0, List.of());

        assertThat(carried.encode()).doesNotContain("\n");
        assertThat(Carried.decode(carried.encode()).inactiveReason()).isEqualTo("no libucx here");
    }

    @Test
    void shouldRefuseALineOfOtherFields() {
        assertThatThrownBy(() -> Carried.decode("true")).isInstanceOf(IllegalArgumentException.class);
    }
}
