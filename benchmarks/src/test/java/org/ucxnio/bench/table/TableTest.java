package org.ucxnio.bench.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void shouldAlignColumnsAndLetHeadingsRunOver() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new Table("what", "JDK", "ours")
                .row("a heading longer than any cell of its column")
                .row("  p50", "52.0 us", "0.80 us")
                .print(new PrintStream(bytes, true, StandardCharsets.UTF_8));

        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "what       JDK     ours",
                        "-----------------------",
                        "a heading longer than any cell of its column",
                        "  p50  52.0 us  0.80 us");
    }

    @Test
    void shouldWriteMarkdown() {
        assertThat(new Table("what", "JDK", "ours").row("p50", "52.0 us").markdown())
                .containsExactly("| what | JDK | ours |", "|---|--:|--:|", "| p50 | 52.0 us |  |");
    }

    @Test
    void shouldWriteAboutThreeDigits() {
        assertThat(Unit.MICROS.write(0.256)).isEqualTo("0.26 us");
        assertThat(Unit.MICROS.write(52.34)).isEqualTo("52.3 us");
        assertThat(Unit.MILLIONS_PER_SECOND.write(123.4e6)).isEqualTo("123 M/s");
        assertThat(Unit.COUNT.write(2)).isEqualTo("2.00");
        assertThat(Unit.MICROS.write(Double.NaN)).isEqualTo("-");
    }

    @Test
    void shouldSayGainsSoThatMoreIsBetter() {
        assertThat(Unit.gain(52, 0.8, true)).isEqualTo("65.0 x");
        assertThat(Unit.gain(4, 10, false)).isEqualTo("2.50 x");
        assertThat(Unit.gain(Double.NaN, 10, false)).isEqualTo("-");
    }
}
