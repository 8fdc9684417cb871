package org.ucxnio.bench.programs.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

class SpreadDbTest {
    private static final int KEYS = 100;

    private final MemoryDb first = new MemoryDb();
    private final MemoryDb second = new MemoryDb();
    private final SpreadDb both = new SpreadDb(List.of(first, second));

    @Test
    void shouldFindEachRecordWhereItPutIt() {
        for (int i = 0; i < KEYS; i++) {
            assertThat(both.insert("", "key-" + i, Map.of("field", value(i)))).isEqualTo(Status.OK);
            assertThat(both.update("", "key-" + i, Map.of("field", value(-i)))).isEqualTo(Status.OK);
        }

        for (int i = 0; i < KEYS; i++) {
            Map<String, ByteIterator> found = new HashMap<>();
            both.read("", "key-" + i, null, found);
            assertThat(found.get("field")).hasToString(Integer.toString(-i));
        }
        assertThat(first.size() + second.size()).isEqualTo(KEYS);
        assertThat(first.size()).isBetween(KEYS / 4, KEYS * 3 / 4);
    }

    private static ByteIterator value(int number) {
        return new ByteArrayByteIterator(Integer.toString(number).getBytes(StandardCharsets.US_ASCII));
    }
}
