package org.ucxnio.bench.programs.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class EntryTest {
    private static final int SIZE = 20;

    @Test
    void shouldTellTheNumberOfAnEntryThatIsRight() {
        assertThat(Entry.check(Entry.of(77, SIZE), SIZE)).isEqualTo(77);
    }

    @Test
    void shouldFindEachByteThatIsWrong() {
        for (int i = 0; i < SIZE; i++) {
            byte[] entry = Entry.of(77, SIZE);
            entry[i]++;
            assertThatThrownBy(() -> Entry.check(entry, SIZE)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldFindALengthThatIsWrong() {
        assertThatThrownBy(() -> Entry.check(Arrays.copyOf(Entry.of(77, SIZE), SIZE - 1), SIZE))
                .hasMessageContaining("19 bytes");
        assertThatThrownBy(() -> Entry.check(new byte[3], SIZE)).hasMessageContaining("3 bytes");
    }
}
