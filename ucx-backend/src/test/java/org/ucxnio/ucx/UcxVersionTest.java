package org.ucxnio.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UcxVersionTest {
    @ParameterizedTest
    @CsvSource({
        "1.9.0, 1.10.0",
        "1.13.1, 1.13.2",
        "1.14.1, 1.15.0",
        "1.22.0, 2.0.0",
        "1.14, 1.14.1",
        "1.14-rc1, 1.14.2",
        "'', 0.0.1"
    })
    void shouldCompare(String earlier, String later) {
        assertThat(UcxVersion.number(earlier)).isLessThan(UcxVersion.number(later));
    }

    @Test
    void shouldIgnoreWhatFollowsTheRelease() {
        assertThat(UcxVersion.number("1.18.1-dev.4")).isEqualTo(UcxVersion.number("1.18.1"));
    }

    @ParameterizedTest
    @CsvSource({"1.13.1, posix", "1.14.1, posix", "1.15.0, sysv", "1.18.1, sysv", "1.22.0, sysv"})
    void shouldChooseATransportOverSharedMemoryThatDoesNotCrash(String version, String transport) {
        UcxLibrary library = new UcxLibrary() {
            @Override
            public String backendName() {
                return "test";
            }

            @Override
            public String version() {
                return version;
            }

            @Override
            public String path() {
                return "";
            }

            @Override
            public UcxContext openContext(UcxContextOptions options) {
                throw new UnsupportedOperationException();
            }
        };
        assertThat(library.hostTransport()).isEqualTo(transport);
    }
}
