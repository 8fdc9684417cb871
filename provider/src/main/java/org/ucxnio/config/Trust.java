package org.ucxnio.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The networks whose hosts may exchange worker addresses with this process. Immutable. */
public final class Trust {
    /** Loaded where a network is trusted: a process that starts has no time for more. */
    private static final class Literals {
        static final String OCTET = "(25[0-5]|2[0-4]\\d|1?\\d?\\d)";
        static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
        static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]+");
    }

    private record Network(byte[] prefix, int bits) {
        boolean contains(byte[] address) {
            if (address.length != prefix.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit & 7);
                if (((address[bit >> 3] ^ prefix[bit >> 3]) & mask) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    private final String text;
    private final List<Network> networks;

    private Trust(String text, List<Network> networks) {
        this.text = text;
        this.networks = List.copyOf(networks);
    }

    static Trust parse(String property, String text) {
        List<Network> networks = new ArrayList<>();
        for (String part : text.split(",")) {
            String item = part.trim();
            if (!item.isEmpty()) {
                networks.add(parseNetwork(property, text, item));
            }
        }
        return new Trust(text, networks);
    }

    private static Network parseNetwork(String property, String text, String item) {
        String allowed = "a comma-separated list of numeric networks such as 10.1.0.0/16 or fd00::/8";
        int slash = item.indexOf('/');
        String host = slash < 0 ? item : item.substring(0, slash);
        // Only literals: a name here would be looked up, and whoever answers would decide who is trusted.
        if (!(Literals.IPV4.matcher(host).matches()
                || host.contains(":") && Literals.IPV6.matcher(host).matches())) {
            throw new ConfigException(property, text, allowed);
        }
        try {
            byte[] prefix = InetAddress.getByName(host).getAddress();
            int bits = slash < 0 ? prefix.length * 8 : Integer.parseInt(item.substring(slash + 1));
            if (bits < 0 || bits > prefix.length * 8) {
                throw new ConfigException(property, text, allowed);
            }
            return new Network(prefix, bits);
        } catch (UnknownHostException | NumberFormatException e) {
            throw new ConfigException(property, text, allowed);
        }
    }

    /** Whether no network is trusted. */
    public boolean isEmpty() {
        return networks.isEmpty();
    }

    public boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        for (Network network : networks) {
            if (network.contains(bytes)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return text;
    }
}
