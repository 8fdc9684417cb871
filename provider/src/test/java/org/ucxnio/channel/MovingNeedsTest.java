package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.testing.ChildJvm;

@Timeout(60)
class MovingNeedsTest {
    private static final String LOADED = "all loaded";
    private static final String USED = "used everything";

    /** The first read-only buffer of a process, or the first thread that waits for a lock, would have reads and writes compiled anew. */
    @Test
    void shouldLoadClassesThatReadsAndWritesWouldBeCompiledAnewFor() throws Exception {
        try (ChildJvm child = ChildJvm.start(List.of("-Xlog:class+load"), Map.of(), MovingNeedsTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output())
                    .containsSubsequence("java.nio.HeapByteBufferR ", LOADED)
                    .containsSubsequence("java.nio.DirectByteBufferR ", LOADED)
                    .containsSubsequence("AbstractQueuedSynchronizer$ConditionNode ", LOADED)
                    .containsSubsequence("AbstractQueuedSynchronizer$ExclusiveNode ", LOADED);
        }
    }

    /** An application's first wait would take as long as some hundred others. */
    @Test
    void shouldLinkWhatKeepsArenasOpen() throws Exception {
        try (ChildJvm child = ChildJvm.start(List.of("-Xlog:class+load"), Map.of(), MovingNeedsTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output()).containsSubsequence("LambdaForm", LOADED, USED);
            String output = child.output();
            assertThat(output.substring(output.indexOf(LOADED), output.indexOf(USED)))
                    .doesNotContain("LambdaForm");
        }
    }

    public static void main(String[] arguments) {
        MovingNeeds.load();
        System.out.println(LOADED);
        ByteBuffer[] buffers = {ByteBuffer.allocateDirect(1)};
        BufferSessions.acquire(buffers, 0, 1);
        BufferSessions.release(buffers, 0, 1);
        System.out.println(USED);
    }
}
