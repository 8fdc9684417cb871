package org.ucxnio.bench.demo;

import java.util.List;
import java.util.Map;
import org.ucxnio.bench.child.Carried;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.launch.Child;

/**
 * What a run of a program said.
 *
 * @param results the client's figures
 * @param client what the client's provider carried
 * @param server what the server's provider carried
 * @param complaints how the run was carried otherwise than it should have been
 * @param reports the report of both providers in words
 */
record Outcome(
        Map<String, Double> results, Carried client, Carried server, List<String> complaints, List<String> reports) {

    /** Reads what two JVMs printed that have ended. */
    static Outcome of(Child client, Child server) {
        return new Outcome(
                client.transcript().results(),
                client.transcript().carried(),
                server.transcript().carried(),
                client.transcript().all(Reporter.NOT_ACCELERATED),
                List.of(
                        String.join(System.lineSeparator(), client.transcript().all(Reporter.REPORT)),
                        String.join(System.lineSeparator(), server.transcript().all(Reporter.REPORT))));
    }

    double figure(String key) {
        return results.getOrDefault(key, Double.NaN);
    }
}
