package org.ucxnio.ucx.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ucxnio.posix.ffm.LibC;
import org.ucxnio.posix.ffm.Raw;

/** Reads what UCX prints about contexts and endpoints: libucp 1.13 has no other way to ask. */
final class InfoParser {
    // #      resource 2  :  md 1  dev 2  flags -- posix/memory
    private static final Pattern RESOURCE = Pattern.compile("^#\\s+resource\\s+\\d+\\s*:.*\\s(\\S+/\\S+)\\s*$");

    // #                 lane[0]:  2:posix/memory.0 md[1]          -> md[1]/posix/sysdev[255] am am_bw#0 keepalive
    // The number after the last dot is the path index, not part of the device.
    private static final Pattern LANE =
            Pattern.compile("^#\\s+lane\\[\\d+]:\\s+(?:\\d+:)?(\\S+/\\S+?)(?:\\.\\d+)?\\s.*$");

    private InfoParser() {}

    static List<String> transports(String contextInfo) {
        return matches(RESOURCE, contextInfo);
    }

    static String lanes(String endpointInfo) {
        return String.join(",", matches(LANE, endpointInfo));
    }

    /** Runs a C function that prints to a {@code FILE *} and returns what it printed; empty where there is no memory. */
    static String capture(LongConsumer printer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(2L * Long.BYTES, Long.BYTES);
            long stream = LibC.openMemoryStream(result.address(), result.address() + Long.BYTES);
            if (stream == 0) {
                return "";
            }
            try {
                printer.accept(stream);
            } finally {
                LibC.closeStream(stream);
            }
            long text = result.get(ValueLayout.JAVA_LONG, 0);
            String printed = text == 0 ? "" : Raw.string(text);
            LibC.free(text);
            return printed;
        }
    }

    private static List<String> matches(Pattern pattern, String text) {
        LinkedHashSet<String> found = new LinkedHashSet<>();
        text.lines().forEach(line -> {
            Matcher matcher = pattern.matcher(line);
            if (matcher.matches()) {
                found.add(matcher.group(1));
            }
        });
        return new ArrayList<>(found);
    }
}
