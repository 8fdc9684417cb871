package org.ucxnio.it.contract;

import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Answers of the JDK's channels that its later versions have changed. Ours are the later ones on every Java. */
final class OlderAnswers {
    /** On Java 17 to 21. */
    static final boolean HERE = Runtime.version().feature() < 22;

    /** To an older answer, the later ones. */
    private static final Map<String, Set<String>> LATER = Map.of(
            AsynchronousCloseException.class.getName() + " null",
            Set.of(ClosedChannelException.class.getName() + " null"),
            AlreadyConnectedException.class.getName() + " null",
            Set.of("java.net.SocketException Already connected"),
            "java.net.UnknownHostException null",
            Set.of(
                    "java.net.UnknownHostException name.invalid/<unresolved>:80",
                    "java.net.SocketException Already connected",
                    "java.net.SocketException Socket is closed"),
            "java.io.IOException Broken pipe",
            Set.of(NotYetConnectedException.class.getName() + " null"));

    private OlderAnswers() {}

    /** The JDK's lines of a transcript, where ours have the later answer to the same call with that one. */
    static List<String> translated(List<String> jdks, List<String> ours) {
        if (!HERE || jdks.size() != ours.size()) {
            return jdks;
        }
        String[] lines = jdks.toArray(String[]::new);
        for (int i = 0; i < lines.length; i++) {
            if (isLater(ours.get(i), lines[i])) {
                lines[i] = ours.get(i);
            }
        }
        return List.of(lines);
    }

    private static boolean isLater(String ours, String jdks) {
        int end = jdks.indexOf(": ") + 2;
        return ours.regionMatches(0, jdks, 0, end)
                && LATER.getOrDefault(jdks.substring(end), Set.of()).contains(ours.substring(end));
    }
}
