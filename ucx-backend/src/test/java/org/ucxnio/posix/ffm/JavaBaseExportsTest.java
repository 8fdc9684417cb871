package org.ucxnio.posix.ffm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.testing.ChildJvm;

@Timeout(120)
class JavaBaseExportsTest {
    private static void assertExports(String... flags) throws Exception {
        try (ChildJvm child = ChildJvm.start(List.of(flags), Map.of(), JavaBaseExportsTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output())
                    .contains(
                            "sun.nio.ch true",
                            "provider sun.nio.ch.EPollSelectorProvider",
                            "again true",
                            "no.such.name false",
                            "virtual thread true",
                            "refused []");
        }
    }

    @Test
    void shouldReachThePlatformsSelectorProvider() throws Exception {
        assertExports(ChildJvm.NATIVE_ACCESS);
    }

    @Test
    void shouldWorkWithTheJvmsWarningAlone() throws Exception {
        assertExports();
    }

    @Test
    void shouldWorkInterpretedAndUnderTheChecksOfJni() throws Exception {
        // A stale local reference or an unchecked exception is a fatal error or a warning here.
        assertExports(ChildJvm.NATIVE_ACCESS, "-Xint");
        assertExports(ChildJvm.NATIVE_ACCESS, "-Xcheck:jni");
    }

    public static void main(String[] arguments) throws Exception {
        FfmPosix posix = new FfmPosix();
        System.out.println("sun.nio.ch " + posix.exportJavaBasePackage("sun.nio.ch"));
        Object provider = Class.forName("sun.nio.ch.DefaultSelectorProvider")
                .getMethod("get")
                .invoke(null);
        System.out.println("provider " + provider.getClass().getName());
        System.out.println("again " + posix.exportJavaBasePackage("sun.nio.ch"));
        System.out.println("no.such.name " + posix.exportJavaBasePackage("no.such.name"));
        Thread.ofVirtual()
                .start(() -> System.out.println("virtual thread " + posix.exportJavaBasePackage("sun.net.www")))
                .join();
        System.gc();
        // Java takes the time to make code for calls anywhere in between.
        System.out.println("refused "
                + Object.class.getModule().getPackages().stream()
                        .filter(name -> !posix.exportJavaBasePackage(name))
                        .toList());
    }
}
