package org.ucxnio.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MembersTest {
    private final Members members = new Members();
    private final FakeMovable connection = new FakeMovable(null, null);

    private Pairing pairing() {
        return new Pairing(connection, null, Pairing.State.WAITING);
    }

    @Test
    void shouldHaveOnePairingForAConnection() {
        Pairing first = pairing();
        Pairing second = pairing();
        assertThat(members.add(first)).isTrue();
        assertThat(members.add(second)).isFalse();
        members.remove(second);
        assertThat(members.add(second)).isFalse();
        members.remove(first);
        assertThat(members.add(second)).isTrue();
    }

    @Test
    void shouldTellThePairingThatItsConnectionIsClosed() {
        Pairing first = pairing();
        members.closed(connection);
        members.add(first);
        assertThat(first.hasLeft()).isFalse();
        members.closed(connection);
        assertThat(first.hasLeft()).isTrue();
        members.staysPlain(first, "late");
        assertThat(connection.plainReason).isNull();
    }
}
