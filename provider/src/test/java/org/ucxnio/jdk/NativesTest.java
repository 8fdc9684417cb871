package org.ucxnio.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.testing.ChildJvm;

@Timeout(60)
class NativesTest {
    @Test
    void shouldCallTheOperatingSystem() {
        assertThat(Natives.posix()).isNotNull();
        assertThat(Natives.unavailable()).isNull();
    }

    @Test
    void shouldExportPackages() {
        assertThat(Natives.export("java.util")).isTrue();
        assertThat(Natives.export("sun.nio.ch")).isTrue();
        assertThat(Natives.export("no.such.name")).isFalse();
    }

    @Test
    void shouldSayThatAccessIsDenied() throws Exception {
        assumeThat(Runtime.version().feature()).isGreaterThanOrEqualTo(24);
        try (ChildJvm child = ChildJvm.start(List.of("--illegal-native-access=deny"), Map.of(), NativesTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output())
                    .contains("null")
                    .contains("native access is denied")
                    .contains("false");
        }
    }

    public static void main(String[] arguments) {
        System.out.println(Natives.posix() + " " + Natives.unavailable() + " " + Natives.export("sun.nio.ch"));
    }
}
