package org.ucxnio.ucx.jucx;

import java.util.ArrayList;
import java.util.List;
import org.ucxnio.ucx.UcxUnavailableException;

/** The JARs of others that users put beside ours. */
final class Neighbours {
    private Neighbours() {}

    /** @throws UcxUnavailableException saying what to put where, unless all are there */
    static void requireAll() throws UcxUnavailableException {
        List<String> missing = new ArrayList<>();
        if (!exists("org.openucx.jucx.ucp.UcpContext")) {
            missing.add("jucx.jar (org.openucx:jucx, no newer than libucx)");
        }
        if (!exists("com.sun.jna.Native")) {
            missing.add("jna.jar (net.java.dev.jna:jna)");
        }
        if (!missing.isEmpty()) {
            throw new UcxUnavailableException("UCX on Java " + Runtime.version().feature() + " needs "
                    + String.join(" and ", missing) + ": put it beside ucxnio.jar, or on the class path");
        }
    }

    private static boolean exists(String className) {
        try {
            Class.forName(className, false, Neighbours.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
