package org.ucxnio.it.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.EchoServer;

/** What the properties {@code ucxnio.*} do to the start of a JVM. */
@Bounded
class PropertiesTest {
    private static final String JDK_PACKAGE = "sun.nio.ch.";

    private static JvmBuilder echo() {
        return JvmBuilder.of(Flavour.UCX, EchoMain.class);
    }

    /** The program ran on the JDK's own channels, and one record of the log says why. */
    private static void expectJdkChannels(Start start, String reason) {
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.output("CHANNELS ").split(" "))
                .as(start.toString())
                .allMatch(name -> name.startsWith(JDK_PACKAGE));
        assertThat(start.traffic().active()).isFalse();
        assertThat(start.traffic().inactiveReason()).contains(reason);
        assertThat(start.log()).as(start.toString()).singleElement().asString().contains(reason);
        assertThat(start.output()).hasSize(2);
    }

    @Test
    void shouldAccelerateByDefault() throws Exception {
        Start start = Start.run(echo());
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.output("CHANNELS ").split(" ")).allMatch(name -> name.startsWith("org.ucxnio."));
        Traffic traffic = start.traffic();
        assertThat(traffic.active()).as(start.toString()).isTrue();
        assertThat(traffic.ucxReceived()).isEqualTo(2L * EchoMain.COUNT);
        assertThat(traffic.tcpReceived()).isZero();
        assertThat(start.log()).as(start.toString()).hasSizeLessThanOrEqualTo(1);
        // Neither the provider nor UCX writes to standard output: it belongs to the application.
        assertThat(start.output()).as(start.toString()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "ucxnio.enabled, perhaps, true or false",
                "ucxnio.required, 1, true or false",
                "ucxnio.window, lots, a size from 16384 to",
                "ucxnio.window, 1k, a size from 16384 to",
                "ucxnio.window.messages, 1e3, a whole number from 16 to",
                "ucxnio.workers, 0, a whole number from 1 to 64",
                "ucxnio.wait, sometimes, \"adaptive, spin, block\"",
                "ucxnio.spin, 20, a duration with a unit",
                "ucxnio.drain, -1s, a duration with a unit",
                "ucxnio.companion.offset, 70000, a whole number from 1 to",
                "ucxnio.trust, example.com, numeric networks",
                "ucxnio.trust, 10.0.0.0/33, numeric networks",
                "ucxnio.trust, 10.0.0.0/x, numeric networks"
            })
    void shouldNotStartWithAValueThatIsNotAllowed(String property, String value, String allowed) throws Exception {
        Start start = Start.run(echo().property(property, value));
        assertThat(start.exitCode()).as(start.toString()).isNotZero();
        assertThat(start.errorText()).contains(property).contains(value).contains(allowed);
        assertThat(start.output()).isEmpty();
    }

    @Test
    void shouldBeTheJdksOwnWhenSwitchedOff() throws Exception {
        expectJdkChannels(Start.run(echo().property("ucxnio.enabled", false)), "ucxnio.enabled=false");
    }

    @Test
    void shouldBeTheJdksOwnWhereUcxIsNot() throws Exception {
        expectJdkChannels(Start.run(echo().property("ucxnio.ucx.path", "/nonexistent")), "/nonexistent");
    }

    @Test
    void shouldBeTheJdksOwnWhereTheLibraryIsNone() throws Exception {
        String noLibrary = System.getProperty("java.home") + "/release";
        expectJdkChannels(Start.run(echo().property("ucxnio.ucx.path", noLibrary)), noLibrary);
    }

    @ParameterizedTest
    @CsvSource({"ucxnio.ucx.path, /nonexistent, /nonexistent", "ucxnio.enabled, false, ucxnio.enabled=false"})
    void shouldNotStartWithoutUcxWhereThatIsRequired(String property, String value, String reason) throws Exception {
        Start start = Start.run(echo().property(property, value).property("ucxnio.required", true));
        assertThat(start.exitCode()).as(start.toString()).isNotZero();
        assertThat(start.errorText()).contains("ucxnio.required=true").contains(reason);
        assertThat(start.output()).isEmpty();
    }

    @Test
    void shouldStartWhereUcxIsRequiredAndThere() throws Exception {
        Start start = Start.run(echo().property("ucxnio.required", true));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.traffic().active()).isTrue();
    }

    @Test
    void shouldReport() throws Exception {
        Start start = Start.run(report());
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(String.join("\n", start.output()))
                .containsPattern("(?m)^UCX +1\\.\\d+\\.\\d+ from /.*libucp\\.so")
                .containsPattern("(?m)^backend +\\S+")
                .containsPattern("(?m)^transports +.*posix")
                .containsPattern("(?m)^other hosts +plain TCP: no network is trusted")
                .containsPattern("(?m)^ *ucxnio\\.window +4194304");
    }

    @Test
    void shouldReportWhyUcxIsOff() throws Exception {
        Start start = Start.run(report().property("ucxnio.ucx.path", "/nonexistent"));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(String.join("\n", start.output())).containsPattern("(?m)^UCX +off: .*/nonexistent");
    }

    @Test
    void shouldReportOnARunningProcess() throws Exception {
        try (ChildJvm server = JvmBuilder.of(Flavour.UCX, EchoServer.class)
                .arguments("127.0.0.1", Ports.free(), "BLOCKING")
                .start()) {
            await().atMost(ChildJvm.PATIENCE).untilAsserted(() -> {
                Start start = Start.run(report(server.pid()));
                assertThat(start.exitCode()).as(start.toString()).isZero();
                assertThat(String.join("\n", start.output()))
                        .containsPattern("(?m)^process +" + server.pid() + ",")
                        .containsPattern("(?m)^accelerated +\\d+ open")
                        .containsPattern("(?m)^bytes over UCX +\\d+ sent");
            });
        }
    }

    @Test
    void shouldSayThatAProcessGivesNoReport() throws Exception {
        Start start = Start.run(report(ProcessHandle.current().pid()));
        assertThat(start.exitCode()).as(start.toString()).isEqualTo(1);
        assertThat(start.errorText()).contains("gives no report");
    }

    /** {@code java -jar ucxnio.jar}, without any flag. */
    private static JvmBuilder report(Object... arguments) {
        JvmBuilder builder = JvmBuilder.of(Flavour.JDK, "-jar").name("report");
        List<Object> all = new ArrayList<>(List.of(arguments));
        all.addFirst(Flavour.UCX.classPath().getFirst());
        return builder.arguments(all.toArray());
    }
}
