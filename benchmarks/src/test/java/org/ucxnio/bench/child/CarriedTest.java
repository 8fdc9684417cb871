package org.ucxnio.bench.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CarriedTest {
    @Test
    void shouldSurviveItsLine() {
        Carried carried = new Carried(true, true, "", 1, 2, 3, 4, 5, 6, 7, 8, 9, List.of("posix/memory", "tcp/eth0"));

        assertThat(Carried.decode(carried.encode())).isEqualTo(carried);
        assertThat(Carried.decode(Carried.ABSENT.encode())).isEqualTo(Carried.ABSENT);
    }

    @Test
    void shouldKeepToOneLineWhateverTheReason() {
        Carried carried = new Carried(true, false, "no\tlibucx\nhere", 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());

        assertThat(carried.encode()).doesNotContain("\n");
        assertThat(Carried.decode(carried.encode()).inactiveReason()).isEqualTo("no libucx here");
    }

    @Test
    void shouldNameWhatCarriedMost() {
        assertThat(bytes(5, 0, 4).carriedBy()).isEqualTo("ring");
        assertThat(bytes(0, 5, 4).carriedBy()).isEqualTo("UCX (posix/memory)");
        assertThat(bytes(0, 5, 4).withLanes(List.of()).carriedBy()).isEqualTo("UCX");
        assertThat(bytes(4, 0, 5).carriedBy()).isEqualTo("TCP");
        assertThat(Carried.ABSENT.carriedBy()).isEqualTo("TCP");
    }

    @Test
    void shouldLeaveOutWhatWasBefore() {
        assertThat(bytes(50, 0, 100).since(bytes(0, 0, 80)).carriedBy()).isEqualTo("ring");
        assertThat(bytes(0, 7, 5).since(Carried.ABSENT)).isEqualTo(bytes(0, 7, 5));
    }

    private static Carried bytes(long ring, long ucx, long tcp) {
        return new Carried(true, true, "", ring, 0, 0, ucx, tcp, 0, 1, 1, 1, List.of("posix/memory"));
    }

    @Test
    void shouldRefuseALineOfOtherFields() {
        assertThatThrownBy(() -> Carried.decode("true")).isInstanceOf(IllegalArgumentException.class);
    }
}
