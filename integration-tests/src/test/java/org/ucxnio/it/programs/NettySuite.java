package org.ucxnio.it.programs;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Netty's own tests of its transports, as Netty publishes them; by default those of its NIO sockets. Prints {@code PASSED} or
 * {@code FAILED}, and the id, for each. Arguments: the ids of the tests to run, if not all.
 */
public final class NettySuite {
    /** Left out: what takes long and asks little of a provider, what needs multicast, and protocols that are not ours. */
    private static final String[] LEFT_OUT = {
        ".*\\.SocketSslEchoTest", ".*\\.TrafficShapingHandlerTest", ".*\\.DatagramMulticast.*Test"
    };

    /** Whether tests with TLS and SPDY run. */
    public static final String TLS_PROPERTY = "ucxnio.it.netty.tls";

    private static final String TLS = ".*\\.Socket(Ssl|StartTls|Spdy).*Test";

    private NettySuite() {}

    private static String[] leftOut() {
        return Boolean.parseBoolean(System.getProperty(TLS_PROPERTY, "true"))
                ? LEFT_OUT
                : Stream.concat(Arrays.stream(LEFT_OUT), Stream.of(TLS)).toArray(String[]::new);
    }

    public static void main(String[] arguments) throws IOException {
        List<? extends DiscoverySelector> selectors = arguments.length == 0
                ? List.of(selectPackage("io.netty.testsuite.transport.socket"))
                : Arrays.stream(arguments).map(id -> selectUniqueId(id)).toList();
        LauncherFactory.create()
                .execute(
                        request()
                                .selectors(selectors)
                                .filters(ClassNameFilter.excludeClassNamePatterns(leftOut()))
                                .build(),
                        new Printer());
        Commands.print("DONE");
        Commands.serve(NettyParts.CHOSEN.commands());
    }

    private static final class Printer implements TestExecutionListener {
        @Override
        public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
            boolean failed = result.getStatus() == TestExecutionResult.Status.FAILED;
            if (failed) {
                result.getThrowable().ifPresent(Throwable::printStackTrace);
            }
            if (identifier.isTest() || failed) {
                Commands.print((failed ? "FAILED " : "PASSED ") + identifier.getUniqueId());
            }
        }
    }
}
