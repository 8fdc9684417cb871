package org.ucxnio.it.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Rendezvous;

/** Java's cache of what a training run has loaded, linked and counted (JEP 483, 514, 515): the provider works from it. */
@Bounded
class AotCacheTest {
    private static final String OURS = " org.ucxnio.";
    private static final String PROGRAMS = " org.ucxnio.it.";
    /** Not all: what chance has a run load need not have been loaded in the training. */
    private static final double MOST = 0.9;

    private static final String FROM_CACHE = "source: shared objects file";

    @TempDir
    private Path folder;

    /** Only JARs can be cached. */
    private Path program;

    private Path cache;

    @BeforeEach
    void setUp() {
        program = folder.resolve("program.jar");
        cache = folder.resolve("program.aot");
        String classes = Locations.testClasses().toString();
        int status = ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(
                        System.err,
                        System.err,
                        "--create",
                        "--file=" + program,
                        "-C",
                        classes,
                        "org/ucxnio/it/startup",
                        "-C",
                        classes,
                        "org/ucxnio/it/harness");
        assertThat(status).isZero();
    }

    private JvmBuilder echo(Flavour flavour) {
        return JvmBuilder.of(flavour, EchoMain.class).ownClasses(program).arguments(EchoMain.MOVED);
    }

    private JvmBuilder echoWithAgent() {
        return echo(Flavour.JDK)
                .flags("-javaagent:" + Locations.ucxnioJar() + "=switch.after=0,rendezvous="
                        + Rendezvous.ofThisJvm().path());
    }

    private void train(JvmBuilder echo) throws IOException, InterruptedException {
        Start training = Start.run(echo.flags("-XX:AOTCacheOutput=" + cache));
        assertThat(training.exitCode()).as(training.toString()).isZero();
        assertThat(cache).as(training.toString()).isRegularFile();
    }

    /** Which part of the classes of these packages that were loaded came from the cache. */
    private double partFromCache(JvmBuilder echo, String packages) throws IOException, InterruptedException {
        Path log = folder.resolve("classes.log");
        Start start = Start.run(echo.flags("-XX:AOTCache=" + cache, "-XX:AOTMode=on", "-Xlog:class+load:file=" + log));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.traffic().ringReceived()).as(start.toString()).isGreaterThanOrEqualTo(2L * EchoMain.COUNT);
        assertThat(start.errors()).as(start.toString()).isEmpty();
        List<String> loaded = Files.readAllLines(log).stream()
                .filter(line -> line.contains(packages))
                .toList();
        return (double) loaded.stream()
                        .filter(line -> line.contains(FROM_CACHE))
                        .count()
                / loaded.size();
    }

    @Test
    void shouldComeFromTheCache() throws Exception {
        train(echo(Flavour.RINGS));
        assertThat(partFromCache(echo(Flavour.RINGS), OURS)).isGreaterThan(MOST);
    }

    /** Agents add to the class path later than the cache is made for. */
    @Test
    void shouldLeaveTheProgramItsCacheAsAnAgent() throws Exception {
        train(echoWithAgent());
        assertThat(partFromCache(echoWithAgent(), PROGRAMS)).isGreaterThan(MOST);
    }
}
