package org.ucxnio.it.harness;

import java.nio.file.Path;
import java.util.List;

/** Child JVMs on Java 17 that call UCX through JUCX, with its JARs where users put them. */
public final class Jucx {
    private static final int JAVA = 17;
    private static final Copies BESIDE = new Copies(Locations.apps(), "beside-");

    private Jucx() {}

    /** Has a JVM use JUCX; skips the test where Java 17 or a libucx for JUCX is missing. */
    public static JvmBuilder use(JvmBuilder builder) {
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
    private static Path beside() {
        Locations.app("jucx").forEach(BESIDE::of);
        return BESIDE.of(Locations.ucxnioJar());
    }
}
