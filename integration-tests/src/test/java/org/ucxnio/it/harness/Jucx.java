package org.ucxnio.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Child JVMs on Java 17 that call UCX through JUCX, with its JARs where users put them. */
public final class Jucx {
    private static final int JAVA = 17;

    private Jucx() {}

    /** Has a JVM use JUCX; skips the test where Java 17 or a libucx for JUCX is missing. */
    public static JvmBuilder use(JvmBuilder builder) throws IOException {
        if (Locations.networkUcx().isEmpty() || Locations.javaHome(JAVA).isEmpty()) {
            Skips.skip("no Java 17, or no libucx of 1.14 or later: name a folder that holds one in -D"
                    + Locations.NETWORK_UCX_PROPERTY);
        }
        Path libucx = Locations.networkUcx().get();
        return builder.javaHome(Locations.javaHome(JAVA).get())
                .classPath(List.of(beside()))
                .property("ucxnio.ucx.path", libucx)
                .property("java.library.path", libucx);
    }

    /** A copy of the JAR in a folder with what it needs for UCX. */
    private static Path beside() throws IOException {
        Path folder = Files.createDirectories(Path.of(System.getProperty(Locations.APPS_PROPERTY), "beside"));
        Path jar = folder.resolve("ucxnio.jar");
        copy(Locations.ucxnioJar(), jar);
        for (Path neighbour : Locations.app("jucx")) {
            copy(neighbour, folder.resolve(neighbour.getFileName()));
        }
        return jar;
    }

    /** Once: other JVMs may have it open. */
    private static synchronized void copy(Path from, Path to) throws IOException {
        if (!Files.exists(to)) {
            Files.copy(from, to);
        }
    }
}
