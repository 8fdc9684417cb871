package org.ucxnio.ucx.jucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.ucx.UcxUnavailableException;
import org.ucxnio.ucx.library.LoadedLibrary;

class JucxVersionTest {
    private static final String PATH = "/opt/ucx/lib/libucp.so.0";

    private static LoadedLibrary libucx(int major, int minor, int release) {
        return new LoadedLibrary(1, PATH, major, minor, release);
    }

    @Test
    void shouldTellTheVersionOfTheJar() {
        assertThat(JucxVersion.text()).matches("\\d+\\.\\d+\\.\\d+.*");
    }

    @ParameterizedTest
    @CsvSource({
        "1.14.0, 1, 14, 0",
        "1.14.0, 1, 18, 1",
        "1.18.1, 1, 18, 1",
        // Numbers behind the second do not tell what functions there are.
        "1.18.1, 1, 18, 0",
        "1.18.1-rc1, 1, 18, 0",
        "1.18, 1, 18, 0",
        "1.18.1, 2, 0, 0",
        "2.1.0, 2, 1, 0"
    })
    void shouldTakeAJucxThatIsNoNewerThanLibucx(String jucx, int major, int minor, int release) {
        assertThatCode(() -> JucxVersion.requireFit(jucx, libucx(major, minor, release)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "1.18.1, 1, 17, 9, needs libucx 1.18 or later",
        "1.18-rc1, 1, 17, 0, needs libucx 1.18 or later",
        "1.14.0, 1, 13, 1, needs libucx 1.14 or later",
        // By their numbers: as text, 1.20 comes before 1.3.
        "1.20.0, 1, 3, 0, needs libucx 1.20 or later",
        "2.0.0, 1, 20, 0, needs libucx 2.0 or later"
    })
    void shouldRefuseAJucxThatIsNewerThanLibucx(String jucx, int major, int minor, int release, String need) {
        LoadedLibrary library = libucx(major, minor, release);
        assertThatThrownBy(() -> JucxVersion.requireFit(jucx, library))
                .isInstanceOf(UcxUnavailableException.class)
                .hasMessageContainingAll("JUCX " + jucx, need, PATH, library.version(), "ucxnio.ucx.path");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.13.1", "1.13", "1.9.0", "0.20.0"})
    void shouldRefuseAJucxWithoutTheCallsItNeeds(String jucx) {
        assertThatThrownBy(() -> JucxVersion.requireFit(jucx, libucx(1, 18, 1)))
                .isInstanceOf(UcxUnavailableException.class)
                .hasMessageContainingAll("JUCX " + jucx, "too old", "1.14 or later");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "unknown", "1", "1.", ".19", "v1.9.0", "1.x", "12345678901.0", "1.12345678901"})
    void shouldTakeAVersionItCannotReadToFit(String jucx) {
        assertThatCode(() -> JucxVersion.requireFit(jucx, libucx(1, 14, 0))).doesNotThrowAnyException();
    }
}
