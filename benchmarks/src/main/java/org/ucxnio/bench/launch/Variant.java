package org.ucxnio.bench.launch;

import java.util.List;

/**
 * Which provider each side runs on.
 *
 * @param label its name in progress lines and tables
 * @param server the server's provider
 * @param client the client's provider
 * @param accelerated whether bytes must go through UCX (true) or must not (false)
 */
record Variant(String label, Provider server, Provider client, boolean accelerated) {
    static final Variant JDK = new Variant("JDK", Provider.JDK, Provider.JDK, false);
    static final Variant UCX = new Variant("ucxnio", Provider.UCX, Provider.UCX, true);
    static final Variant OUR_CLIENT = new Variant("our client, JDK server", Provider.JDK, Provider.UCX, false);
    static final Variant OUR_SERVER = new Variant("JDK client, our server", Provider.UCX, Provider.JDK, false);

    /** The variants of {@code layout}, the JDK's first, without those that {@code wanted} leaves out. */
    static List<Variant> of(Scenario.Layout layout, Wanted wanted) {
        List<Variant> all = layout == Scenario.Layout.PLAIN ? List.of(JDK, OUR_CLIENT, OUR_SERVER) : List.of(JDK, UCX);
        return all.stream()
                .filter(each -> each == JDK ? wanted != Wanted.UCX : wanted != Wanted.JDK)
                .toList();
    }

    /** What a JVM on {@code provider} must find of its connections, as programs are told. */
    String expectation(Provider provider) {
        if (provider == Provider.JDK) {
            return "any";
        }
        return accelerated ? "yes" : "no";
    }

    /** Which providers were asked for on the command line. */
    enum Wanted {
        JDK,
        UCX,
        BOTH
    }
}
