package org.ucxnio.bench.launch;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.ucxnio.bench.child.Expectation;

/**
 * Which provider each side runs on.
 *
 * @param label its name in progress lines and tables
 * @param server the server's provider
 * @param client the client's provider
 */
record Variant(String label, Provider server, Provider client) {
    static final Variant JDK = both(Provider.JDK);
    static final Variant UCXNIO = both(Provider.UCXNIO);
    static final Variant UCX = both(Provider.UCX);
    static final Variant OUR_CLIENT = new Variant("our client, JDK server", Provider.JDK, Provider.UCXNIO);
    static final Variant OUR_SERVER = new Variant("JDK client, our server", Provider.UCXNIO, Provider.JDK);

    private static Variant both(Provider provider) {
        return new Variant(provider.label(), provider, provider);
    }

    /** The variants of {@code scenario}, the JDK's first, without those that need a provider that is not {@code wanted}. */
    static List<Variant> of(Scenario scenario, Collection<Provider> wanted) {
        if (scenario.layout() == Scenario.Layout.PLAIN) {
            return Stream.of(JDK, OUR_CLIENT, OUR_SERVER)
                    .filter(each -> wanted.contains(each.ours()))
                    .toList();
        }
        if (scenario.layout() == Scenario.Layout.NETWORK) {
            return Stream.of(JDK, UCX)
                    .filter(each -> wanted.contains(each.ours()))
                    .toList();
        }
        return wanted.stream().filter(scenario.columns()::has).map(Variant::on).toList();
    }

    /** A line that names those of {@code scenarios} that cannot be run on {@code provider}, or none. */
    static List<String> leftOut(List<Scenario> scenarios, Provider provider) {
        List<String> names = scenarios.stream()
                .filter(each -> of(each, List.of(provider)).isEmpty())
                .map(Scenario::name)
                .toList();
        return names.isEmpty()
                ? List.of()
                : List.of("Not measured: " + provider.description() + " in " + String.join(", ", names)
                        + ", which cannot be run on it.");
    }

    private static Variant on(Provider provider) {
        return Stream.of(JDK, UCXNIO, UCX)
                .filter(each -> each.client == provider)
                .findFirst()
                .orElseGet(() -> both(provider));
    }

    /** The provider that this is about: ours, where it is on one side only. */
    private Provider ours() {
        return client.isOurs() ? client : server;
    }

    /** Whether it is to reach the goals. */
    boolean hasGoals() {
        return ours().isOurs();
    }

    /** Whether the two sides run on different providers, and so over plain TCP. */
    boolean mixed() {
        return server != client;
    }

    /** What must carry the connections of {@code scenario}, as a JVM on {@code provider} sees it. */
    Expectation expected(Scenario scenario, Provider provider) {
        if (!provider.isOurs()) {
            return Expectation.ANY;
        }
        if (mixed()) {
            return Expectation.TCP;
        }
        if (!scenario.mayStay()) {
            return provider.expected();
        }
        return provider == Provider.UCX ? Expectation.TCP_OR_UCX : Expectation.TCP_OR_RINGS;
    }

    /** The setting that tells a JVM on {@code provider} so. */
    String expectation(Scenario scenario, Provider provider) {
        return "expect=" + expected(scenario, provider).setting();
    }
}
