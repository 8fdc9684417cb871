package org.ucxnio.ucx.library;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what UCX prints about contexts and endpoints: libucp 1.13 has no other way to ask. */
public final class InfoParser {
    // #      resource 2  :  md 1  dev 2  flags -- posix/memory
    private static final Pattern RESOURCE = Pattern.compile("^#\\s+resource\\s+\\d+\\s*:.*\\s(\\S+/\\S+)\\s*$");

    // #                 lane[0]:  2:posix/memory.0 md[1]          -> md[1]/posix/sysdev[255] am am_bw#0 keepalive
    // The number after the last dot is the path index, not part of the device.
    private static final Pattern LANE =
            Pattern.compile("^#\\s+lane\\[\\d+]:\\s+(?:\\d+:)?(\\S+/\\S+?)(?:\\.\\d+)?\\s.*$");

    private InfoParser() {}

    /** Transports of {@code ucp_context_print_info}, one {@code transport/device} each. */
    public static List<String> transports(String contextInfo) {
        return matches(RESOURCE, contextInfo);
    }

    /** Transports of {@code ucp_ep_print_info}, separated by commas. */
    public static String lanes(String endpointInfo) {
        return String.join(",", matches(LANE, endpointInfo));
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
