package org.ucxnio.bench.demo;

import java.time.Duration;
import java.util.List;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.launch.Children;
import org.ucxnio.bench.launch.LaunchException;
import org.ucxnio.bench.launch.Progress;
import org.ucxnio.bench.launch.Provider;

/** One of the real programs: how its two sides are started and which of its figures are shown. */
interface Program {
    /** Longest wait for a JVM to be ready. */
    Duration START_TIMEOUT = Duration.ofSeconds(30);

    /** Its name, and what it is. */
    String title();

    /** Its name alone. */
    String name();

    List<Figure> figures();

    /** Starts both sides, each in a JVM of its own, on {@code provider}. */
    Pair start(Provider provider, Children children, Progress progress) throws LaunchException, InterruptedException;

    /** What the client is told to expect of its provider. */
    static String expectation(Provider provider) {
        Expectation expected = provider == Provider.UCXNIO ? Expectation.TCP_OR_RINGS : provider.expected();
        return "expect=" + expected.setting();
    }
}
