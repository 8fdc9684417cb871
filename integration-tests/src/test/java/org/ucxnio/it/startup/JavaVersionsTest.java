package org.ucxnio.it.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Jucx;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Skips;

/** Older Java versions and JVMs that do not, or not gladly, give native access. */
@Bounded
class JavaVersionsTest {
    private static final String PROVIDER_FLAG =
            "-Djava.nio.channels.spi.SelectorProvider=org.ucxnio.UcxSelectorProvider";

    @TempDir
    private Path classes;

    /** Compiles the application for Java 17. */
    private void compileOldEcho() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            Skips.skip("the tests run on a Java without a compiler");
        }
        Path source = classes.resolve("OldEcho.java");
        try (InputStream resource = JavaVersionsTest.class.getResourceAsStream("OldEcho.java")) {
            Files.copy(resource, source);
        }
        assertThat(compiler.run(null, null, null, "--release", "17", "-d", classes.toString(), source.toString()))
                .isZero();
    }

    private JvmBuilder oldEcho(Flavour flavour) throws IOException {
        compileOldEcho();
        return JvmBuilder.of(flavour, "OldEcho").classPath(List.of(classes));
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 21})
    void shouldRunAnApplicationOnAnOldJavaWithoutAWarning(int feature) throws Exception {
        Start start = Start.run(oldEcho(Flavour.JDK)
                .javaHome(Skips.unlessJava(feature))
                .classPath(Flavour.RINGS.classPath())
                .flags(PROVIDER_FLAG));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.output("CHANNELS ").split(" "))
                .as(start.toString())
                .allMatch(name -> name.startsWith("org.ucxnio."));
        assertThat(start.errors()).as(start.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 21})
    void shouldMoveToRingsOnAnOldJavaWithoutAWarning(int feature) throws Exception {
        Start start = Start.run(JvmBuilder.of(Flavour.RINGS, EchoMain.class)
                .javaHome(Skips.unlessJava(feature))
                .arguments(EchoMain.MOVED));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.traffic().ringReceived()).as(start.toString()).isGreaterThanOrEqualTo(2L * EchoMain.COUNT);
        assertThat(start.errors()).as(start.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 21})
    void shouldSayWhatToPutWhereForUcx(int feature) throws Exception {
        Start start = Start.run(JvmBuilder.of(Flavour.RINGS, EchoMain.class)
                .javaHome(Skips.unlessJava(feature))
                .property("ucxnio.trust", "10.0.0.0/8"));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.log())
                .as(start.toString())
                .singleElement()
                .asString()
                .contains("UCX on Java " + feature + " needs jucx.jar")
                .contains("jna.jar")
                .contains("beside ucxnio.jar");
    }

    @Test
    void shouldMoveToUcxOnAnOldJavaWithJucxBesideTheJar() throws Exception {
        Start start = Start.run(Jucx.use(JvmBuilder.of(Flavour.UCX_MESSAGES, EchoMain.class))
                .property("ucxnio.host.tls", "tcp")
                .arguments(EchoMain.MOVED));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.traffic().ucxReceived()).as(start.toString()).isGreaterThanOrEqualTo(2L * EchoMain.COUNT);
        assertThat(start.traffic().ringReceived()).isZero();
        assertThat(start.errors()).as(start.toString()).isEmpty();
    }

    @Test
    void shouldSayHowToStartWhereJucxWouldLoadASecondUcx() throws Exception {
        Path other = Files.createTempDirectory("ucxnio-it-other-");
        Files.createFile(other.resolve("libucm.so"));
        Start start = Start.run(
                Jucx.use(JvmBuilder.of(Flavour.UCX_MESSAGES, EchoMain.class)).property("java.library.path", other));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.log())
                .as(start.toString())
                .singleElement()
                .asString()
                .contains("JUCX loads UCX from '" + other + "'")
                .contains("-Djava.library.path=" + Locations.networkUcx().orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 21})
    void shouldReportOnAnOldJava(int feature) throws Exception {
        Path home = Skips.unlessJava(feature);
        Start start = Start.run(
                JvmBuilder.of(Flavour.JDK, "-jar").name("report").javaHome(home).arguments(Locations.ucxnioJar()));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(String.join("\n", start.output()))
                .containsPattern("(?m)^rings +0 sessions")
                .contains("no connection");
    }

    @Test
    void shouldRunAnApplicationOnUcxWithTheTwoFlags() throws Exception {
        Start start = Start.run(oldEcho(Flavour.RINGS));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.output("CHANNELS ").split(" ")).allMatch(name -> name.startsWith("org.ucxnio."));
        assertThat(start.errors()).as(start.toString()).noneMatch(line -> line.startsWith("WARNING"));
    }

    @Test
    void shouldRunOnUcxWithoutTheFlagForNativeAccess() throws Exception {
        Start start = Start.run(
                oldEcho(Flavour.JDK).classPath(Flavour.RINGS.classPath()).flags(PROVIDER_FLAG));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.output("CHANNELS ").split(" ")).allMatch(name -> name.startsWith("org.ucxnio."));
        // From Java 24 on the JVM itself warns; nobody else has anything to add.
        assertThat(start.errors()).as(start.toString()).noneMatch(line -> line.contains("Exception"));
        assertThat(start.log()).as(start.toString()).hasSizeLessThanOrEqualTo(1);
    }

    /** Nothing native is needed for connections of one host. */
    @Test
    void shouldRunAnApplicationWhereNativeAccessIsDenied() throws Exception {
        Assumptions.assumeTrue(Runtime.version().feature() >= 24, "--illegal-native-access is there from Java 24 on");
        Start start = Start.run(oldEcho(Flavour.JDK)
                .classPath(Flavour.RINGS.classPath())
                .flags(PROVIDER_FLAG, "--illegal-native-access=deny"));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.output("CHANNELS ").split(" ")).allMatch(name -> name.startsWith("org.ucxnio."));
        assertThat(start.errors()).as(start.toString()).noneMatch(line -> line.contains("Exception"));
        assertThat(start.log()).as(start.toString()).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void shouldMoveToRingsWhereNativeAccessIsDenied() throws Exception {
        Assumptions.assumeTrue(Runtime.version().feature() >= 24, "--illegal-native-access is there from Java 24 on");
        Start start = Start.run(JvmBuilder.of(Flavour.JDK, EchoMain.class)
                .classPath(Flavour.RINGS.classPath())
                .flags(PROVIDER_FLAG, "--illegal-native-access=deny", "-Ducxnio.switch.after=0")
                .arguments(EchoMain.MOVED));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.traffic().ringReceived()).as(start.toString()).isGreaterThanOrEqualTo(2L * EchoMain.COUNT);
        assertThat(start.errors()).as(start.toString()).isEmpty();
    }

    @Test
    void shouldSayWhatUcxMissesWhereNativeAccessIsDenied() throws Exception {
        Assumptions.assumeTrue(Runtime.version().feature() >= 24, "--illegal-native-access is there from Java 24 on");
        Start start = Start.run(oldEcho(Flavour.JDK)
                .classPath(Flavour.RINGS.classPath())
                .flags(PROVIDER_FLAG, "--illegal-native-access=deny", "-Ducxnio.required=true", "-Ducxnio.host=ucx"));
        assertThat(start.exitCode()).as(start.toString()).isNotZero();
        assertThat(start.errorText()).contains("--enable-native-access=ALL-UNNAMED");
    }
}
