package org.ucxnio.bench.programs.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;

/** The load runs to its end, both sides in this JVM, and reports its figures. No figure is judged. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpLoadTest {
    private static final int SIZE = 1000;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final Reporter reporter = new Reporter(new PrintStream(output, true, StandardCharsets.UTF_8));

    @ParameterizedTest
    @ValueSource(ints = {0, 500})
    void shouldMeasureAsFastAsAnswersComeAndAtARate(int rate) throws Exception {
        BytesServer server = new BytesServer(0, SIZE);
        try {
            String[] settings = {
                "port=" + server.port(),
                "size=" + SIZE,
                "connections=3",
                "rate=" + rate,
                "rounds=2",
                "round-ms=100",
                "warmup-ms=100",
                "clock-port=0",
                "expect=any"
            };
            new HttpLoad(Settings.parse(settings, 0), reporter).measure();
        } finally {
            server.end();
        }

        assertThat(output.toString(StandardCharsets.UTF_8))
                .contains("@result rate", "@result p99", "@result cpu-client", "@result cpu-server");
    }

    @Test
    void shouldFindAnswersThatAreWrong() throws Exception {
        BytesServer server = new BytesServer(0, SIZE);
        byte[] other = Body.of(SIZE);
        other[SIZE - 1]++;
        try (KeptConnection connection = new KeptConnection(server.port(), other)) {
            assertThatThrownBy(connection::exchange)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("200");
        } finally {
            server.end();
        }
    }
}
