package org.ucxnio.it.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Crowd;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.EchoServer;

/** What the properties {@code ucxnio.*} do to the start of a JVM. */
@Bounded
class PropertiesTest {
    private static final String JDK_PACKAGE = "sun.nio.ch.";

    /** As users start it. */
    private static JvmBuilder echo() {
        return JvmBuilder.of(Flavour.DEFAULTS, EchoMain.class);
    }

    /** One whose connection moves however crowded the machine is. */
    private static JvmBuilder moving() {
        return echo().property("ucxnio.switch.after", 128).arguments(EchoMain.MOVED);
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

    /** The program ran over rings, and nobody had anything to say. */
    private static void expectRings(Start start) {
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.output("CHANNELS ").split(" ")).allMatch(name -> name.startsWith("org.ucxnio."));
        Traffic traffic = start.traffic();
        assertThat(traffic.active()).as(start.toString()).isTrue();
        assertThat(traffic.ringReceived()).as(start.toString()).isGreaterThanOrEqualTo(2L * EchoMain.COUNT);
        assertThat(traffic.ucxReceived()).isZero();
        assertThat(start.log()).as(start.toString()).isEmpty();
        // Neither the provider nor UCX writes to standard output: it belongs to the application.
        assertThat(start.output()).as(start.toString()).hasSize(2);
    }

    /** The program ran over kernel TCP, with channels of ours. */
    private static void expectPlain(Start start) {
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.output("CHANNELS ").split(" ")).allMatch(name -> name.startsWith("org.ucxnio."));
        Traffic traffic = start.traffic();
        assertThat(traffic.fastReceived()).as(start.toString()).isZero();
        assertThat(traffic.tcpReceived()).as(start.toString()).isGreaterThanOrEqualTo(2L * EchoMain.COUNT);
        assertThat(start.output()).as(start.toString()).hasSize(2);
    }

    @Test
    void shouldMoveToRingsByDefault() throws Exception {
        Start start = Start.run(echo().arguments(EchoMain.MOVED));
        if (start.traffic().ringReceived() == 0 && Crowd.isThere()) {
            Skips.skip("the machine is crowded by others");
        }
        expectRings(start);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "1000"})
    void shouldMoveAfterAsManyUses(String uses) throws Exception {
        expectRings(Start.run(echo().property("ucxnio.switch.after", uses).arguments(EchoMain.MOVED)));
    }

    /** A connection of a few calls costs what it costs with the JDK. */
    @Test
    void shouldNotMoveWhatIsHardlyUsed() throws Exception {
        expectPlain(Start.run(echo().property("ucxnio.switch.after", 1_000_000)));
    }

    @Test
    void shouldBeTheJdksOwnWhereNothingIsLeftToAccelerate() throws Exception {
        expectJdkChannels(Start.run(echo().property("ucxnio.host", "off")), "ucxnio.host is off");
    }

    @Test
    void shouldGoOverUcxOnOneHostWhereThatIsWanted() throws Exception {
        Start start = Start.run(echo().property("ucxnio.host", "ucx")
                .property("ucxnio.switch.after", 128)
                .arguments(EchoMain.MOVED));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.traffic().ucxReceived()).as(start.toString()).isGreaterThanOrEqualTo(2L * EchoMain.COUNT);
        assertThat(start.traffic().ringReceived()).isZero();
        assertThat(start.output()).as(start.toString()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "ucxnio.enabled, perhaps, true or false",
                "ucxnio.required, 1, true or false",
                "ucxnio.host, somewhere, \"rings, ucx, off\"",
                "ucxnio.switch.after, -1, \"auto, or a whole number from 0 to\"",
                "ucxnio.switch.after, soon, \"auto, or a whole number from 0 to\"",
                "ucxnio.memory, lots, a size from 0 to",
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
        // Before the errors of the JDK's that come of it.
        assertThat(start.errors().get(0))
                .as(start.toString())
                .contains("ucxnio cannot start: ")
                .contains(property + "=" + value)
                .contains(allowed);
        assertThat(start.output()).isEmpty();
    }

    @Test
    void shouldBeTheJdksOwnWhenSwitchedOff() throws Exception {
        expectJdkChannels(Start.run(echo().property("ucxnio.enabled", false)), "ucxnio.enabled=false");
    }

    private static String noLibrary() {
        return System.getProperty("java.home") + "/release";
    }

    private static Stream<String> badLibraries() {
        return Stream.of("/nonexistent", noLibrary());
    }

    /** Rings need no library. */
    @ParameterizedTest
    @MethodSource("badLibraries")
    void shouldMoveToRingsWhereUcxIsNot(String library) throws Exception {
        expectRings(Start.run(moving().property("ucxnio.ucx.path", library)));
    }

    @Test
    void shouldMoveToRingsWhereSomethingIsRequired() throws Exception {
        expectRings(Start.run(moving().property("ucxnio.required", true)));
    }

    /** Where UCX is wanted and is not to be had, one line of the log says why. */
    @ParameterizedTest
    @MethodSource("badLibraries")
    void shouldSayWhyUcxIsNotUsedWhereItIsWanted(String library) throws Exception {
        Start start = Start.run(echo().property("ucxnio.host", "ucx").property("ucxnio.ucx.path", library));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.traffic().fastReceived()).isZero();
        assertThat(start.log()).as(start.toString()).singleElement().asString().contains(library);
        assertThat(start.output()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"ucxnio.ucx.path, /nonexistent, /nonexistent", "ucxnio.enabled, false, ucxnio.enabled=false"})
    void shouldNotStartWithoutUcxWhereThatIsRequired(String property, String value, String reason) throws Exception {
        Start start = Start.run(
                echo().property("ucxnio.host", "ucx").property(property, value).property("ucxnio.required", true));
        assertThat(start.exitCode()).as(start.toString()).isNotZero();
        assertThat(start.errors().get(0)).contains("ucxnio.required=true").contains(reason);
    }

    @Test
    void shouldNotStartSwitchedOffWhereSomethingIsRequired() throws Exception {
        Start start = Start.run(echo().property("ucxnio.enabled", false).property("ucxnio.required", true));
        assertThat(start.exitCode()).as(start.toString()).isNotZero();
        assertThat(start.errorText()).contains("ucxnio.required=true").contains("ucxnio.enabled=false");
    }

    @Test
    void shouldStartWhereUcxIsRequiredAndThere() throws Exception {
        Start start = Start.run(echo().property("ucxnio.host", "ucx").property("ucxnio.required", true));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.traffic().active()).isTrue();
    }

    @Test
    void shouldReport() throws Exception {
        Start start = Start.run(report());
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(String.join("\n", start.output()))
                .containsPattern("(?m)^other hosts +plain TCP: no network is trusted")
                .containsPattern("(?m)^ *ucxnio\\.switch\\.after +auto")
                .containsPattern("(?m)^ *ucxnio\\.window +4194304");
    }

    @Test
    void shouldReportWhichUcxIsUsed() throws Exception {
        Start start = Start.run(report().property("ucxnio.host", "ucx"));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(String.join("\n", start.output()))
                .containsPattern("(?m)^UCX +1\\.\\d+\\.\\d+ from /.*libucp\\.so")
                .containsPattern("(?m)^backend +\\S+")
                .containsPattern("(?m)^transports +.*posix");
    }

    @Test
    void shouldReportWhyUcxIsOff() throws Exception {
        Start start = Start.run(report().property("ucxnio.host", "ucx").property("ucxnio.ucx.path", "/nonexistent"));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(String.join("\n", start.output())).containsPattern("(?m)^UCX +off: .*/nonexistent");
    }

    @Test
    void shouldReportOnARunningProcess() throws Exception {
        try (ChildJvm server = JvmBuilder.of(Flavour.DEFAULTS, EchoServer.class)
                .arguments("127.0.0.1", Ports.free(), "BLOCKING")
                .start()) {
            await().atMost(ChildJvm.PATIENCE).untilAsserted(() -> {
                Start start = Start.run(report(server.pid()));
                assertThat(start.exitCode()).as(start.toString()).isZero();
                assertThat(String.join("\n", start.output()))
                        .containsPattern("(?m)^process +" + server.pid() + ",")
                        .containsPattern("(?m)^rings +\\d+ sessions")
                        .containsPattern("(?m)^ *in rings +\\d+ open")
                        .containsPattern("(?m)^bytes in rings +\\d+ sent");
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
        all.add(0, Flavour.RINGS.classPath().get(0));
        return builder.arguments(all.toArray());
    }
}
