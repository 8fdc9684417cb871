package org.ucxnio.it.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;

/** UCX's own environment variables, where UCX is used: what the user set wins; what UCX logs never reaches standard output. */
@Bounded
class EnvironmentTest {
    @TempDir
    private Path folder;

    private static Start echo(String... settings) throws IOException, InterruptedException {
        JvmBuilder builder = JvmBuilder.of(Flavour.UCX_MESSAGES, EchoMain.class)
                .prefix("env")
                .arguments(EchoMain.MOVED);
        Start start = Start.run(builder.prefix(settings));
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.traffic().active()).as(start.toString()).isTrue();
        assertThat(start.output())
                .as(start.toString())
                .hasSize(2)
                .allMatch(line -> line.startsWith("CHANNELS ") || line.startsWith("TRAFFIC "));
        return start;
    }

    @Test
    void shouldUseSharedMemoryAndKeepUcxQuietByDefault() throws Exception {
        Start start = echo();
        assertThat(start.traffic().lanes()).isNotEmpty().allMatch(lane -> lane.contains("posix"));
        assertThat(start.ucxLog()).isEmpty();
    }

    @Test
    void shouldLetTheUserChooseTheTransport() throws Exception {
        Start start = echo("UCX_TLS=sysv");
        assertThat(start.traffic().ucxReceived()).isGreaterThanOrEqualTo(2L * EchoMain.COUNT);
        assertThat(start.traffic().lanes()).isNotEmpty().allMatch(lane -> lane.contains("sysv"));
    }

    @Test
    void shouldLetTheUserHearMoreOfUcxOnStandardError() throws Exception {
        Start start = echo("UCX_LOG_LEVEL=info");
        assertThat(start.ucxLog()).as(start.toString()).isNotEmpty();
    }

    @Test
    void shouldLetTheUserSendTheLogOfUcxToAFile() throws Exception {
        Path file = folder.resolve("ucx.log");
        Start start = echo("UCX_LOG_LEVEL=info", "UCX_LOG_FILE=" + file);
        assertThat(start.ucxLog()).isEmpty();
        assertThat(Files.readString(file)).contains("UCX");
    }

    @Test
    void shouldWarnOfNothingThatTheUserSet() throws Exception {
        Start start = echo("UCX_MM_FIFO_SIZE=128", "UCX_RNDV_THRESH=8k", "UCX_KEEPALIVE_INTERVAL=1s");
        assertThat(start.traffic().ucxReceived()).isGreaterThanOrEqualTo(2L * EchoMain.COUNT);
        assertThat(start.ucxLog()).isEmpty();
    }
}
