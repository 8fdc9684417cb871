package org.ucxnio.bench.child;

/** Main class of a JVM that says what its provider is able to do, and ends. */
public final class AvailabilityMain {
    private AvailabilityMain() {}

    public static void main(String[] arguments) {
        Reporter reporter = new Reporter(System.out);
        reporter.carried(ProviderProbe.carried());
        reporter.done();
    }
}
