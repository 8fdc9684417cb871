package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class HostIdentityTest {
    @Test
    void shouldSeeAProcessEnd() throws Exception {
        Process process = new ProcessBuilder("sleep", "100").start();
        try {
            BooleanSupplier running = HostIdentity.running((int) process.pid());
            assertThat(running.getAsBoolean()).isTrue();

            process.destroyForcibly().waitFor();

            assertThat(running.getAsBoolean()).isFalse();
        } finally {
            process.destroyForcibly();
        }
    }

    /** The kernel has it in its table until its parent, which does not run here, has asked for it. */
    @Test
    void shouldSeeAProcessEndThatNobodyHasWaitedFor() throws IOException {
        Process parent = new ProcessBuilder("sh", "-c", "sleep 100 & echo $!; exec sleep 100").start();
        try {
            int child = Integer.parseInt(parent.inputReader().readLine());
            BooleanSupplier running = HostIdentity.running(child);
            assertThat(running.getAsBoolean()).isTrue();
            // The shell might ask for it; what it becomes does not.
            Path name = Path.of("/proc", Long.toString(parent.pid()), "comm");
            await().until(() -> Files.readString(name).equals("sleep\n"));

            ProcessHandle.of(child).orElseThrow().destroyForcibly();

            await().until(() -> !running.getAsBoolean());
            assertThat(ProcessHandle.of(child)).as("a zombie").isPresent();
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    void shouldTakeNobodyForAProcess() {
        assertThat(HostIdentity.running(Integer.MAX_VALUE).getAsBoolean()).isFalse();
    }
}
