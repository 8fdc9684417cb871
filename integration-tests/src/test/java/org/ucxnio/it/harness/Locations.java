package org.ucxnio.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.ucxnio.netty.UcxNioChannels;

/** Where things are: the one JAR, the class paths of the real programs, JDKs. */
public final class Locations {
    /** The JAR under test. */
    public static final String JAR_PROPERTY = "ucxnio.jar";

    /** A folder with one folder of JARs for each real program. */
    public static final String APPS_PROPERTY = "apps.dir";

    /** A folder that holds a libucp.so of 1.14 or later, for the tests across a network. */
    public static final String NETWORK_UCX_PROPERTY = "ucxnio.test.libucx";

    private Locations() {}

    public static Path ucxnioJar() {
        Path jar = Path.of(System.getProperty(JAR_PROPERTY, "../provider/target/ucxnio.jar"))
                .toAbsolutePath()
                .normalize();
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException("No ucxnio.jar at " + jar + ": build the module provider first");
        }
        return jar;
    }

    /** The helpers for Netty. */
    public static Path nettyHelpers() {
        return Path.of(UcxNioChannels.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
    }

    /** The classes of this module. */
    public static Path testClasses() {
        try {
            return Path.of(Locations.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The folder of what child JVMs run with. */
    static Path apps() {
        return Path.of(System.getProperty(APPS_PROPERTY, "target/apps"));
    }

    /** The JARs of a real program, such as {@code netty-4.2}. */
    public static List<Path> app(String name) {
        Path folder = apps().resolve(name);
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> jars = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
            if (jars.isEmpty()) {
                throw new IllegalStateException("No JAR in " + folder.toAbsolutePath());
            }
            return jars;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Optional<Path> networkUcx() {
        return Optional.ofNullable(System.getProperty(NETWORK_UCX_PROPERTY))
                .filter(value -> !value.isBlank())
                .map(Path::of);
    }

    /** A JDK or JRE of one feature release: the one of the property {@code javaN.home}, or one beside the running one. */
    public static Optional<Path> javaHome(int feature) {
        String named = System.getProperty("java" + feature + ".home");
        if (named != null) {
            return Optional.of(Path.of(named));
        }
        Path running = Path.of(System.getProperty("java.home"));
        for (Path folder : List.of(running.resolveSibling("."), Path.of("/usr/lib/jvm"), Path.of("/opt/java"))) {
            Optional<Path> home = javaHomeIn(folder, feature);
            if (home.isPresent()) {
                return home;
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> javaHomeIn(Path folder, int feature) {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(folder)) {
            return homes.filter(home -> Files.isExecutable(home.resolve("bin/java")))
                    .filter(home -> isRelease(home, feature))
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isRelease(Path home, int feature) {
        try {
            Path release = home.resolve("release");
            return Files.isRegularFile(release)
                    && Files.readString(release).matches("(?s).*JAVA_VERSION=\"" + feature + "[.\"].*");
        } catch (IOException e) {
            return false;
        }
    }
}
