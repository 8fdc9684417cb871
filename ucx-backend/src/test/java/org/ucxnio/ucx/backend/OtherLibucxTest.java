package org.ucxnio.ucx.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.TestAbortedException;
import org.ucxnio.testing.ChildJvm;

/**
 * The tests of this package with another libucx, named by the system property {@code ucxnio.test.libucx}, and with each backend: JUCX
 * needs a libucx that is no older than itself. A process loads one libucx, so they run in a JVM of their own, driven by {@link #main}.
 */
@Timeout(300)
class OtherLibucxTest {
    /** A backend, that of the other process of the test, and a class of tests. */
    record Run(String backend, String peer, Class<?> tests) {
        @Override
        public String toString() {
            return tests.getSimpleName() + ", " + backend + (peer.equals(backend) ? "" : " with " + peer);
        }
    }

    static Stream<Run> runs() {
        return Stream.of(
                new Run("ffm", "ffm", WorkerTest.class),
                new Run("ffm", "ffm", TwoProcessTest.class),
                new Run("ffm", "ffm", AllocationTest.class),
                new Run("ffm", "ffm", EnvironmentTest.class),
                new Run("jucx", "jucx", WorkerTest.class),
                new Run("jucx", "jucx", TwoProcessTest.class),
                new Run("jucx", "jucx", EnvironmentTest.class),
                new Run("jucx", "ffm", TwoProcessTest.class),
                new Run("ffm", "jucx", TwoProcessTest.class));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void shouldPassWithAnotherLibucx(Run run) throws Exception {
        String directory = System.getProperty(TestUcx.OTHER_LIBUCX, "");
        assumeTrue(!directory.isEmpty(), "no system property " + TestUcx.OTHER_LIBUCX);
        assumeTrue(Files.isDirectory(Path.of(directory)), directory + " is not a directory");
        List<String> flags = List.of(
                ChildJvm.NATIVE_ACCESS,
                "-Xmx512m",
                "-D" + TestUcx.USED_LIBUCX + "=" + directory,
                "-Djava.library.path=" + directory,
                "-D" + TestUcx.USED_BACKEND + "=" + run.backend,
                "-D" + TwoProcessTest.PEER_BACKEND + "=" + run.peer);
        try (ChildJvm child = ChildJvm.start(flags, Map.of(), OtherLibucxTest.class, run.tests.getName())) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output()).contains(directory, run.backend).doesNotContain("FAILED");
        }
    }

    /** Runs the tests of a class; a small stand-in for JUnit's launcher. */
    public static void main(String[] arguments) throws Exception {
        System.out.println(TestUcx.library());
        Class<?> tests = Class.forName(arguments[0]);
        boolean failed = false;
        for (Method test : tests.getDeclaredMethods()) {
            if (test.isAnnotationPresent(Test.class)) {
                failed |= !passes(tests, test);
            }
        }
        System.exit(failed ? 1 : 0);
    }

    private static boolean passes(Class<?> tests, Method test) throws ReflectiveOperationException {
        Object instance = tests.getDeclaredConstructor().newInstance();
        try {
            invokeAnnotated(instance, BeforeEach.class);
            test.setAccessible(true);
            test.invoke(instance);
            System.out.println("passed " + test.getName());
            return true;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof TestAbortedException) {
                System.out.println(
                        "skipped " + test.getName() + ": " + e.getCause().getMessage());
                return true;
            }
            System.out.println("FAILED " + test.getName());
            e.getCause().printStackTrace(System.out);
            return false;
        } finally {
            invokeAnnotated(instance, AfterEach.class);
        }
    }

    private static void invokeAnnotated(Object instance, Class<? extends Annotation> annotation)
            throws ReflectiveOperationException {
        for (Method method : Arrays.stream(instance.getClass().getDeclaredMethods())
                .filter(candidate -> candidate.isAnnotationPresent(annotation))
                .toList()) {
            method.setAccessible(true);
            method.invoke(instance);
        }
    }
}
