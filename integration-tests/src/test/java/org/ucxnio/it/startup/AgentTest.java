package org.ucxnio.it.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Rendezvous;
import org.ucxnio.it.harness.Skips;

/** {@code -javaagent:ucxnio.jar} as the one flag: no other, and nothing on the class path. */
@Bounded
class AgentTest {
    private static final String OURS = "org.ucxnio.";
    private static final String JDKS = "sun.nio.ch.";

    private static JvmBuilder echo(String options) {
        return agent(EchoMain.class, options);
    }

    private static JvmBuilder agent(Class<?> program, String options) {
        return JvmBuilder.of(Flavour.JDK, program)
                .name(program.getSimpleName() + "-agent")
                .flags("-javaagent:" + Locations.ucxnioJar() + options);
    }

    private static String meetHere() {
        return "rendezvous=" + Rendezvous.ofThisJvm().path();
    }

    private static void expectChannels(Start start, String prefix) {
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.output("CHANNELS ").split(" ")).as(start.toString()).allMatch(name -> name.startsWith(prefix));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 17, 21})
    void shouldBeTheOneFlag(int feature) throws Exception {
        Start start = Start.run(echo("=switch.after=0," + meetHere())
                .javaHome(Skips.unlessJava(feature))
                .arguments(EchoMain.MOVED));
        expectChannels(start, OURS);
        assertThat(start.traffic().ringReceived()).as(start.toString()).isGreaterThanOrEqualTo(2L * EchoMain.COUNT);
        // Not even the JVM's warning about native access.
        assertThat(start.errors()).as(start.toString()).isEmpty();
    }

    @Test
    void shouldNeedNoOptions() throws Exception {
        Start start = Start.run(
                echo("").property("ucxnio.rendezvous", Rendezvous.ofThisJvm().path()));
        expectChannels(start, OURS);
        assertThat(start.errors()).as(start.toString()).isEmpty();
    }

    /** Each class costs a process that starts some tenths of a millisecond, and the JVM's verifier loads some that no line of code asks for. */
    @Test
    void shouldLoadNothingThatIsNotUsed() throws Exception {
        Start start = Start.run(echo("=" + meetHere()).flags("-Xlog:class+load"));
        expectChannels(start, OURS);
        assertThat(String.join("\n", start.output()))
                .containsSubsequence(" org.ucxnio.channel.KernelStream ", " org.ucxnio.selector.UcxSelector ")
                .doesNotContain(
                        "org.ucxnio.shaded.",
                        "org.ucxnio.channel.SocketAdaptor",
                        "org.ucxnio.channel.ServerSocketAdaptor",
                        "org.ucxnio.UcxStart",
                        "org.ucxnio.transport.Transport ",
                        "org.ucxnio.posix.ffm.");
    }

    @Test
    void shouldLeaveWhatTheCommandLineSets() throws Exception {
        Start start = Start.run(echo("=wait=blok").property("ucxnio.wait", "block"));
        expectChannels(start, OURS);
        assertThat(start.errors()).as(start.toString()).isEmpty();
    }

    @Test
    void shouldDoNothingWhereItIsNotEnabled() throws Exception {
        expectChannels(Start.run(echo("=enabled=false")), JDKS);
    }

    @Test
    void shouldLeaveAnotherProvider() throws Exception {
        String other = "sun.nio.ch.EPollSelectorProvider";
        Start start = Start.run(echo("").property("java.nio.channels.spi.SelectorProvider", other)
                .flags("--add-exports", "java.base/sun.nio.ch=ALL-UNNAMED"));
        expectChannels(start, JDKS);
        assertThat(start.errors())
                .as(start.toString())
                .singleElement()
                .asString()
                .contains("the agent does nothing")
                .contains(other);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wiat=block | no option wiat",
                "wait=blok | adaptive, spin, block",
                "trust=example.com | numeric networks",
                "netty=epoll | nio or own",
                "block | name=value"
            })
    void shouldNotStartWithAMistake(String options, String message) throws Exception {
        Start start = Start.run(echo("=" + options));
        assertThat(start.exitCode()).as(start.toString()).isEqualTo(1);
        assertThat(start.output()).as(start.toString()).isEmpty();
        assertThat(start.errors())
                .as(start.toString())
                .singleElement()
                .asString()
                .startsWith("ucxnio: ")
                .contains(message);
    }

    @ParameterizedTest
    @CsvSource({
        "netty-4.1, io.netty.channel.epoll.Epoll",
        "netty-4.2, io.netty.channel.epoll.Epoll",
        "netty-4.2, io.netty.channel.uring.IoUring"
    })
    void shouldHaveNettyUseNio(String version, String transport) throws Exception {
        List<Path> netty = Locations.app(version);
        Start told = Start.run(agent(NettyChoiceMain.class, "").classPath(netty).arguments(transport));
        assertThat(told.output(transport)).as(told.toString()).contains("io.netty.transport.noNative=true");
        Start own = Start.run(
                agent(NettyChoiceMain.class, "=netty=own").classPath(netty).arguments(transport));
        assertThat(own.output(transport)).as(own.toString()).doesNotContain("noNative");
    }
}
