package org.ucxnio.it.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Rendezvous;
import org.ucxnio.it.harness.Skips;

/** A process without descriptors: its calls answer as the JDK's do, and it is over once there are some again. */
@Bounded
class NoDescriptorsTest {
    /** Enough for the JVM to start, and few enough to be used up at once. */
    private static final String[] FEW = {"prlimit", "--nofile=160:160"};

    private record Run(List<String> output, List<String> errors) {
        List<String> calls() {
            return output.stream().filter(line -> line.startsWith("CALL ")).toList();
        }

        @Override
        public String toString() {
            return String.join("\n", output) + "\n-- stderr\n" + String.join("\n", errors);
        }
    }

    private static Run run(Flavour flavour) throws Exception {
        Skips.unlessRuns(FEW);
        try (Rendezvous rendezvous = Rendezvous.create();
                ChildJvm jvm = JvmBuilder.of(flavour, WithoutDescriptors.class)
                        .prefix(FEW)
                        .property(Rendezvous.PROPERTY, rendezvous.path())
                        .property("java.util.logging.SimpleFormatter.format", "LOG %1$tZ %4$s %3$s %5$s%n")
                        .start()) {
            List<String> lines = new ArrayList<>();
            while (!lines.contains(WithoutDescriptors.EXHAUSTED)) {
                lines.add(jvm.expect(""));
            }
            disturb(rendezvous);
            jvm.send("go on");
            jvm.awaitExit(ChildJvm.PATIENCE);
            addRest(lines, jvm);
            return new Run(lines, jvm.errorLines());
        }
    }

    /** Begins sessions that cannot be accepted: the first thing that ucxnio has to say in there. */
    private static void disturb(Rendezvous rendezvous) throws Exception {
        for (String name : rendezvous.names(Rendezvous.PROCESS)) {
            for (int i = 0; i < 3; i++) {
                SocketChannel.open(UnixDomainSocketAddress.of(rendezvous.path().resolve(name)))
                        .close();
            }
            TimeUnit.MILLISECONDS.sleep(300);
        }
    }

    private static void addRest(List<String> lines, ChildJvm jvm) {
        while (true) {
            try {
                lines.add(jvm.expect(""));
            } catch (AssertionError end) {
                return;
            }
        }
    }

    @Test
    void shouldAnswerAsTheJdkDoes() throws Exception {
        Run jdk = run(Flavour.JDK);
        Run ours = run(Flavour.RINGS);
        assertThat(jdk.calls()).as(jdk.toString()).anyMatch(line -> line.contains("Too many open files"));
        assertThat(ours.calls()).as(ours.toString()).isEqualTo(jdk.calls());
        // What we had to say did not break the log of the application, or its time zones.
        assertThat(ours.errors()).as(ours.toString()).anyMatch(line -> line.contains("the application's line"));
        assertThat(ours.errors()).anyMatch(line -> line.contains("another line of it"));
        // Whether connections move depends on what was loaded at the moment when descriptors ran out.
        assertThat(ours.output()).as(ours.toString()).anyMatch(line -> line.startsWith("MOVED "));
    }
}
