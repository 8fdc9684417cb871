package org.ucxnio.agent;

import java.util.LinkedHashMap;
import java.util.Map;
import org.ucxnio.config.Config;

/**
 * The options of the agent: {@code name=value}, separated by commas; each sets the property {@code ucxnio.name}. What has no {@code =}
 * belongs to the value before it, as in {@code trust=10.1.0.0/16,10.2.0.0/16,wait=block}. Immutable.
 *
 * @param properties by their full names
 * @param nettyOnNio {@value #NETTY} ({@value #NIO}): whether Netty is to use NIO, or ({@value #OWN}) what it chooses itself
 */
record AgentOptions(Map<String, String> properties, boolean nettyOnNio) {
    private static final String PREFIX = "ucxnio.";
    private static final String NETTY = "netty";
    private static final String NIO = "nio";
    private static final String OWN = "own";

    /**
     * Values are not looked at, but for that of {@value #NETTY}.
     *
     * @param text null or empty for none
     * @throws IllegalArgumentException with one line for the user
     */
    static AgentOptions parse(String text) {
        Map<String, String> values = split(text == null ? "" : text);
        String netty = values.remove(NETTY);
        if (netty != null && !netty.equals(NIO) && !netty.equals(OWN)) {
            throw new IllegalArgumentException(
                    "Option netty=" + netty + " of the agent is not allowed: " + NIO + " or " + OWN);
        }
        return new AgentOptions(properties(values), !OWN.equals(netty));
    }

    /** No lambdas: the first ones of a process cost it milliseconds, and this is part of its start. */
    private static Map<String, String> properties(Map<String, String> values) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (Map.Entry<String, String> each : values.entrySet()) {
            String property = PREFIX.concat(each.getKey());
            if (!Config.isProperty(property)) {
                throw new IllegalArgumentException(
                        "The agent has no option " + each.getKey() + ": there is no property " + property);
            }
            properties.put(property, each.getValue());
        }
        return properties;
    }

    private static Map<String, String> split(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        String last = null;
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals < 0 && last == null || equals == 0) {
                throw new IllegalArgumentException(
                        "The agent's options begin with name=value, not with '" + part + "'");
            } else if (equals < 0) {
                values.put(last, String.join(",", values.get(last), part));
            } else {
                last = part.substring(0, equals).strip();
                if (values.put(last, part.substring(equals + 1)) != null) {
                    throw new IllegalArgumentException("The agent's option " + last + " is there twice");
                }
            }
        }
        return values;
    }
}
