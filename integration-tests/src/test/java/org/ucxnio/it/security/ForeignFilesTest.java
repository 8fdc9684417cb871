package org.ucxnio.it.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.PrivateShm;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.programs.NodeMain;

/** A file in {@code /dev/shm} that looks like a dead process's may be a living one's, which we cannot see. It stays. */
@Bounded
class ForeignFilesTest {
    private static final String FILE = "ucx_shm_posix_1a2b";

    /** A first look at the folder came a second after the start, as long as there was one. */
    private static final long OBSERVED_MS = 3000;

    private static PrivateShm open() {
        try {
            return PrivateShm.open("64m");
        } catch (IOException e) {
            return Skips.skip(e.getMessage());
        }
    }

    @Test
    void shouldKeepAFileThatNoProcessSeemsToUse() throws Exception {
        try (PrivateShm shm = open()) {
            shm.create(FILE, Instant.now().minus(Duration.ofHours(1)));
            try (Node node = Node.start(JvmBuilder.of(Flavour.UCX_MESSAGES, NodeMain.class)
                    .defaultRendezvous()
                    .prefix(shm.words()))) {
                assertThat(node.report()).containsPattern("(?m)^UCX +\\d");
                TimeUnit.MILLISECONDS.sleep(OBSERVED_MS);
                assertThat(shm.names()).contains(FILE);
                node.expectQuiet();
            }
        }
    }
}
