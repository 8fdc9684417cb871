package org.ucxnio.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.posix.KernelCalls;
import org.ucxnio.posix.Posix;
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

    /** What connections of one host need is the JDK's own, and nothing is printed. */
    @Test
    void shouldDoWithoutNativeAccess() throws Exception {
        assumeThat(Runtime.version().feature()).isGreaterThanOrEqualTo(24);
        try (ChildJvm child = ChildJvm.start(List.of("--illegal-native-access=deny"), Map.of(), NativesTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output())
                    .startsWith("jdk null true\n")
                    .contains("null jdk")
                    .contains("native access is denied");
        }
    }

    @Test
    void shouldPrintNothingUntilNativeFunctionsAreWanted() throws Exception {
        try (ChildJvm child = ChildJvm.start(List.of(), Map.of(), NativesTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output()).startsWith("jdk null true\n").contains("ffm null");
        }
    }

    /** A runtime that was made without the module by which the JDK's own parts are reached. */
    @Test
    void shouldFallBackToNativeFunctions() throws Exception {
        try (ChildJvm child = ChildJvm.start(
                List.of("--limit-modules=java.base,java.management,java.logging", ChildJvm.NATIVE_ACCESS),
                Map.of(),
                NativesTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output()).isEqualTo("ffm null true\nffm ffm null\n");
        }
    }

    public static void main(String[] arguments) {
        KernelCalls calls = Natives.calls();
        System.out.println((calls == null ? null : calls.name()) + " " + Natives.unavailable() + " "
                + Natives.export("sun.nio.ch"));
        Posix posix = Natives.posix();
        System.out.println((posix == null ? null : posix.name()) + " "
                + Natives.calls().name() + " " + Natives.posixUnavailable());
    }
}
