package org.ucxnio;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ucxnio.testing.ChildJvm;

/** What is started and what is reported, by configuration; each in a JVM of its own, without any flag of Java's. */
@Timeout(120)
class EngineTest {
    private static final String NO_LIBRARY = "ucxnio.ucx.path=/nonexistent";

    private static String run(int exitCode, String... properties) throws Exception {
        List<String> flags = new ArrayList<>();
        for (String property : properties) {
            flags.add("-D" + property);
        }
        try (ChildJvm child = ChildJvm.start(flags, Map.of(), EngineTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isEqualTo(exitCode);
            return child.output();
        }
    }

    public static void main(String[] arguments) throws Exception {
        SelectorProvider provider = new UcxSelectorProvider();
        Pipe pipe = provider.openPipe();
        try (Selector selector = provider.openSelector();
                Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink()) {
            source.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            assertThat(selector.selectNow()).isZero();
            selector.wakeup();
            assertThat(selector.select()).isZero();
            sink.write(ByteBuffer.allocate(1));
            assertThat(selector.select()).isOne();
        }
        Snapshot snapshot = UcxNio.snapshot();
        System.out.println("active " + snapshot.active() + ", lanes " + snapshot.lanes());
        System.out.print(UcxNio.report());
    }

    @Test
    void shouldNotStartUcxByDefault() throws Exception {
        String output = run(0);
        assertThat(output)
                .as("no line of the JVM's about native code")
                .startsWith("active true, lanes []\n")
                .containsPattern("(?m)^UCX +not in use: no network is trusted, and ucxnio.host is rings$")
                .containsPattern("(?m)^other hosts +plain TCP: no network is trusted")
                .containsPattern("(?m)^accelerated +0 open, 0 since start$")
                .containsPattern("(?m)^  in rings +0 open, 0 since start$")
                .containsPattern("(?m)^bytes in rings +0 sent, 0 received$")
                .containsPattern("(?m)^bytes over TCP +0 sent, 0 received$")
                .containsPattern("(?m)^  ucxnio.host +RINGS$")
                .doesNotContain("over UCX");
    }

    @Test
    void shouldHaveRingsWhereUcxIsWantedButMissing() throws Exception {
        assertThat(run(0, NO_LIBRARY, "ucxnio.trust=192.0.2.0/24", "ucxnio.required=true"))
                .contains("active true")
                .containsPattern("No connection goes over UCX: .*/nonexistent")
                .containsPattern("(?m)^UCX +not in use: .*/nonexistent")
                .containsPattern("(?m)^other hosts +plain TCP: .*/nonexistent");
    }

    @ParameterizedTest
    @CsvSource({
        "ucxnio.enabled=false, ucxnio.enabled=false",
        "ucxnio.host=off, 'no network is trusted, and ucxnio.host is off'",
        "ucxnio.host=ucx, /nonexistent"
    })
    void shouldLeaveEverythingToThePlatformWhereNothingIsLeft(String property, String reason) throws Exception {
        assertThat(run(0, NO_LIBRARY, property))
                .contains("active false")
                .contains("the platform's own channels are used: ")
                .containsPattern("(?m)^UCX +off: .*" + reason);
        assertThat(run(1, NO_LIBRARY, property, "ucxnio.required=true"))
                .contains("ucxnio.required=true: ")
                .contains(reason);
    }
}
