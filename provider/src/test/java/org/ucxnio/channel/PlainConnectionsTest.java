package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;

class PlainConnectionsTest {
    private final PlainConnections connections = new PlainConnections();

    @Test
    void shouldCountEachConnectionOnce() {
        Counted one = new Counted(connections, "young");
        Counted two = new Counted(connections, "far");
        Counted three = new Counted(connections, "young");
        assertThat(connections.byReason()).containsExactly(entry("far", 1), entry("young", 2));
        one.staysPlain("busy");
        one.staysPlain("busy");
        two.staysPlain("far");
        assertThat(connections.byReason()).containsExactly(entry("busy", 1), entry("far", 1), entry("young", 1));
        assertThat(connections.open()).isEqualTo(3);
        assertThat(connections.total()).isEqualTo(3);
        three.close();
        one.close();
        one.staysPlain("late");
        assertThat(connections.byReason()).containsExactly(entry("far", 1));
        assertThat(connections.open()).isEqualTo(1);
        assertThat(connections.total()).isEqualTo(3);
    }
}
