package org.ucxnio.bench.demo;

import java.time.Duration;
import java.util.List;
import org.ucxnio.bench.launch.Child;
import org.ucxnio.bench.launch.Children;
import org.ucxnio.bench.launch.LaunchException;

/** Both sides of a program that runs on one provider; the client takes turns with those of other pairs. */
record Pair(Child client, Child server) {
    /** Longest wait for what a client does: to warm up, its turn, its figures. */
    private static final Duration TIMEOUT = Duration.ofSeconds(120);

    /** Waits until the client is warm. Returns how many turns it takes. */
    int awaitTurns() throws LaunchException, InterruptedException {
        return client.awaitTurns(TIMEOUT);
    }

    /** Gives the client its next turn and waits until that is over. */
    void giveTurn() throws LaunchException, InterruptedException {
        client.giveTurn(TIMEOUT);
    }

    /** What came of it, behind the last turn; ends both sides. */
    Outcome end(Children children) throws LaunchException, InterruptedException {
        client.awaitFigures(server, TIMEOUT);
        children.stop(List.of(client, server));
        return Outcome.of(client, server);
    }
}
