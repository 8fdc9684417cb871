package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;

/** A selector finds the few that are ready among very many. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Sides#all")
class ManyKeysTest {
    private static final int KEYS = 10_000;
    private static final int PAIRS = 5;

    @Parameter
    private Sides sides;

    @Test
    void shouldSelectFewOfTenThousand() throws Exception {
        try (Sides s = sides) {
            Selector selector = s.selector();
            for (int i = 0; i < KEYS; i++) {
                DatagramChannel idle = s.with(DatagramChannel.open());
                idle.configureBlocking(false);
                idle.register(selector, SelectionKey.OP_READ);
            }
            assertThat(selector.selectNow()).isZero();
            for (int i = 0; i < PAIRS; i++) {
                SocketChannel[] pair = s.nonBlockingPair();
                SelectionKey key = pair[0].register(selector, SelectionKey.OP_READ);
                assertThat(selector.selectNow()).isZero();
                assertThat(pair[1].write(Sides.bytes("x"))).isEqualTo(1);
                assertThat(selector.select(20_000)).isEqualTo(1);
                assertThat(selector.selectedKeys()).containsExactly(key);
                assertThat(pair[0].read(Sides.room(10))).isEqualTo(1);
                selector.selectedKeys().clear();
            }
            assertThat(selector.keys()).hasSize(KEYS + PAIRS);
        }
    }
}
