package org.ucxnio.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTest {
    private static final Map<String, Object> DEFAULTS = Map.ofEntries(
            Map.entry(Config.ENABLED, true),
            Map.entry(Config.REQUIRED, false),
            Map.entry(Config.HOST, "RINGS"),
            Map.entry(Config.SWITCH_AFTER, "auto"),
            Map.entry(Config.RENDEZVOUS, ""),
            Map.entry(Config.MEMORY, 0),
            Map.entry(Config.UCX_BACKEND, "AUTO"),
            Map.entry(Config.UCX_PATH, ""),
            Map.entry(Config.UCX_LOG_FILE, ""),
            Map.entry(Config.HOST_TLS, ""),
            Map.entry(Config.TLS, "ib"),
            Map.entry(Config.TRUST, ""),
            Map.entry(Config.COMPANION_OFFSET, 10_000),
            Map.entry(Config.COMPANION_TIMEOUT, "1000000000ns"),
            Map.entry(Config.PLAIN_MEMORY, "5000000000ns"),
            Map.entry(Config.WINDOW, 4 << 20),
            Map.entry(Config.WINDOW_MESSAGES, 16 << 10),
            Map.entry(Config.FRAME, 32_768),
            Map.entry(Config.WORKERS, 2),
            Map.entry(Config.WAIT, "ADAPTIVE"),
            Map.entry(Config.SPIN, "15000ns"),
            Map.entry(Config.DRAIN, "10000000000ns"),
            Map.entry(Config.EXIT_FLUSH, "2000000000ns"));

    private static Config with(String property, String value) {
        return Config.from(Map.of(property, value)::get);
    }

    /** What the configuration prints for one property. */
    private static Object printed(String property, String value) {
        return with(property, value).asMap().get(property);
    }

    @Test
    void shouldHaveTheDocumentedDefaults() {
        Map<String, Object> values = Config.from(name -> null).asMap();

        assertThat(values).containsOnlyKeys(DEFAULTS.keySet());
        DEFAULTS.forEach((name, value) -> assertThat(values.get(name)).as(name).hasToString(value.toString()));
    }

    @Test
    void shouldPrintEveryPropertyItKnows() throws IllegalAccessException {
        List<String> names = new ArrayList<>();
        for (Field field : Config.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
                names.add((String) field.get(null));
            }
        }

        assertThat(Config.from(name -> null).asMap().keySet())
                .containsExactlyInAnyOrderElementsOf(names)
                .allMatch(name -> name.startsWith("ucxnio."));
    }

    @Test
    void shouldReadSystemProperties() {
        System.setProperty(Config.WORKERS, "7");
        try {
            assertThat(Config.fromSystemProperties().workers()).isEqualTo(7);
        } finally {
            System.clearProperty(Config.WORKERS);
        }
    }

    @Test
    void shouldHandEachPropertyToItsComponent() {
        assertThat(with(Config.ENABLED, "false").enabled()).isFalse();
        assertThat(with(Config.REQUIRED, "true").required()).isTrue();
        assertThat(with(Config.HOST, "off").host()).isEqualTo(HostMode.OFF);
        assertThat(with(Config.SWITCH_AFTER, "0").switchAfter()).isZero();
        assertThat(with(Config.SWITCH_AFTER, "Auto").switchAfter()).isEqualTo(Config.AUTO);
        assertThat(with(Config.RENDEZVOUS, "/dev/shm/x").rendezvous()).isEqualTo("/dev/shm/x");
        assertThat(with(Config.MEMORY, "12g").memoryBytes()).isEqualTo(12L << 30);
        assertThat(with(Config.UCX_BACKEND, "jucx").ucxBackend()).isEqualTo(BackendChoice.JUCX);
        assertThat(with(Config.UCX_PATH, "/opt/ucx").ucxPath()).isEqualTo("/opt/ucx");
        assertThat(with(Config.UCX_LOG_FILE, "/tmp/u.log").ucxLogFile()).isEqualTo("/tmp/u.log");
        assertThat(with(Config.HOST_TLS, "sysv").hostTransports()).isEqualTo("sysv");
        assertThat(with(Config.TLS, "tcp").networkTransports()).isEqualTo("tcp");
        assertThat(with(Config.TRUST, "10.0.0.0/8").trust().isEmpty()).isFalse();
        assertThat(with(Config.COMPANION_OFFSET, "5").companionOffset()).isEqualTo(5);
        assertThat(with(Config.COMPANION_TIMEOUT, "7ms").companionTimeoutNanos())
                .isEqualTo(7_000_000);
        assertThat(with(Config.PLAIN_MEMORY, "9s").plainMemoryNanos()).isEqualTo(9_000_000_000L);
        assertThat(with(Config.WINDOW, "32k").windowBytes()).isEqualTo(32_768);
        assertThat(with(Config.WINDOW_MESSAGES, "17").windowMessages()).isEqualTo(17);
        assertThat(with(Config.FRAME, "4k").frameBytes()).isEqualTo(4096);
        assertThat(with(Config.WAIT, "spin").waitMode()).isEqualTo(WaitMode.SPIN);
        assertThat(with(Config.SPIN, "3us").spinNanos()).isEqualTo(3_000);
        assertThat(with(Config.DRAIN, "1m").drainNanos()).isEqualTo(60_000_000_000L);
        assertThat(with(Config.EXIT_FLUSH, "11ns").exitFlushNanos()).isEqualTo(11);
    }

    @ParameterizedTest
    @CsvSource({
        "ucxnio.switch.after, 0, 1000000000",
        "ucxnio.memory, 0, 1024g",
        "ucxnio.companion.offset, 1, 32767",
        "ucxnio.companion.timeout, 1ms, 1m",
        "ucxnio.companion.memory, 0s, 60m",
        "ucxnio.window, 16k, 64m",
        "ucxnio.window.messages, 16, 1048576",
        "ucxnio.frame, 1k, 64k",
        "ucxnio.workers, 1, 64",
        "ucxnio.spin, 0ns, 1s",
        "ucxnio.drain, 1ms, 10m",
        "ucxnio.exit.flush, 0ns, 10m"
    })
    void shouldTakeBothBounds(String property, String smallest, String largest) {
        assertThat(printed(property, smallest)).isNotNull();
        assertThat(printed(property, largest)).isNotNull().isNotEqualTo(printed(property, smallest));
    }

    @ParameterizedTest
    @CsvSource({
        "ucxnio.enabled, yes, true or false",
        "ucxnio.required, 1, true or false",
        "ucxnio.host, on, 'one of rings, ucx, off'",
        "ucxnio.switch.after, -1, 'auto, or a whole number from 0 to 1000000000'",
        "ucxnio.switch.after, 1000000001, 'auto, or a whole number from 0 to 1000000000'",
        "ucxnio.memory, 1025g, a size from 0 to 1099511627776 bytes",
        "ucxnio.memory, 17179869185g, a size from 0 to 1099511627776 bytes",
        "ucxnio.memory, 999999999999g, a size from 0 to 1099511627776 bytes",
        "ucxnio.memory, half, a size from 0 to 1099511627776 bytes",
        "ucxnio.trust, localhost, a comma-separated list of numeric networks",
        "ucxnio.companion.offset, 0, a whole number from 1 to 32767",
        "ucxnio.companion.offset, 32768, a whole number from 1 to 32767",
        "ucxnio.companion.offset, -5, a whole number from 1 to 32767",
        "ucxnio.companion.offset, 99999999999, a whole number from 1 to 32767",
        "ucxnio.companion.timeout, 999us, from 1ms to 60000ms",
        "ucxnio.companion.timeout, 61s, from 1ms to 60000ms",
        "ucxnio.companion.memory, 61m, from 0ms to 3600000ms",
        "ucxnio.window, 16383, a size from 16384 to 67108864 bytes",
        "ucxnio.window, 65m, a size from 16384 to 67108864 bytes",
        "ucxnio.window, 999999999999g, a size from 16384 to 67108864 bytes",
        "ucxnio.window, 1t, a size from 16384 to 67108864 bytes",
        "ucxnio.window, -1k, a size from 16384 to 67108864 bytes",
        "ucxnio.window, 64.5k, a size from 16384 to 67108864 bytes",
        "ucxnio.window.messages, 15, a whole number from 16 to 1048576",
        "ucxnio.window.messages, 1048577, a whole number from 16 to 1048576",
        "ucxnio.window.messages, 1k, a whole number from 16 to 1048576",
        "ucxnio.frame, 1023, a size from 1024 to 65536 bytes",
        "ucxnio.frame, 65537, a size from 1024 to 65536 bytes",
        "ucxnio.workers, 0, a whole number from 1 to 64",
        "ucxnio.workers, 65, a whole number from 1 to 64",
        "ucxnio.wait, lazy, 'one of adaptive, spin, block'",
        "ucxnio.spin, 20, 'a duration with a unit (ns, us, ms, s, m)'",
        "ucxnio.spin, 1001ms, from 0ms to 1000ms",
        "ucxnio.spin, 1h, 'a duration with a unit (ns, us, ms, s, m)'",
        "ucxnio.drain, 0s, from 1ms to 600000ms",
        "ucxnio.drain, 999999999999m, from 1ms to 600000ms",
        "ucxnio.exit.flush, -1s, from 0ms to 600000ms"
    })
    void shouldNamePropertyValueAndWhatIsAllowed(String property, String value, String allowed) {
        assertThatThrownBy(() -> with(property, value))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Property " + property + "=" + value + " is not allowed: ")
                .hasMessageContaining(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "65536, 65536",
        "64k, 65536",
        "64K, 65536",
        "64kb, 65536",
        "'64 k', 65536",
        "' 64k ', 65536",
        "1m, 1048576",
        "1M, 1048576",
        "2MB, 2097152",
        "65536b, 65536"
    })
    void shouldUnderstandSizeSuffixes(String text, int bytes) {
        assertThat(with(Config.WINDOW, text).windowBytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"250ns, 250", "20us, 20000", "'20 us', 20000", "' 3ms ', 3000000", "1s, 1000000000", "0s, 0", "0m, 0"})
    void shouldUnderstandDurationUnits(String text, long nanos) {
        assertThat(with(Config.SPIN, text).spinNanos()).isEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k", "1kk", "0x10000", "64 k k", "1234567890123"})
    void shouldRefuseWhatIsNoSize(String text) {
        assertThatThrownBy(() -> with(Config.WINDOW, text)).isInstanceOf(ConfigException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "us", "1 0us", "1.5ms", "-1us", "1234567890123ns"})
    void shouldRefuseWhatIsNoDuration(String text) {
        assertThatThrownBy(() -> with(Config.SPIN, text)).isInstanceOf(ConfigException.class);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "TRUE, true", "'', true", "' true ', true", "false, false", "False, false"})
    void shouldReadFlagsInAnyCaseAndAnEmptyOneAsSet(String text, boolean value) {
        assertThat(with(Config.ENABLED, text).enabled()).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({"adaptive, ADAPTIVE", "Adaptive, ADAPTIVE", "SPIN, SPIN", "' block ', BLOCK"})
    void shouldReadChoicesInAnyCase(String text, WaitMode mode) {
        assertThat(with(Config.WAIT, text).waitMode()).isEqualTo(mode);
    }
}
