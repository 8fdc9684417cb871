package org.ucxnio.ucx.ffm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SendSlotsTest {
    @Test
    void shouldKeepTokensApartWhileGrowing() {
        SendSlots slots = new SendSlots(2);
        Map<Integer, Long> taken = new HashMap<>();
        Random random = new Random(3);
        for (int i = 0; i < 10_000; i++) {
            if (taken.isEmpty() || random.nextInt(100) < 52) {
                long token = random.nextLong();
                assertThat(taken.put(slots.take(token), token)).isNull();
            } else {
                int slot = taken.keySet().iterator().next();
                assertThat(slots.isTaken(slot)).isTrue();
                assertThat(slots.release(slot)).isEqualTo(taken.remove(slot));
                assertThat(slots.isTaken(slot)).isFalse();
            }
        }
        assertThat(slots.capacity()).isLessThan(1024);
        assertThat(slots.isTaken(slots.capacity())).isFalse();
    }
}
