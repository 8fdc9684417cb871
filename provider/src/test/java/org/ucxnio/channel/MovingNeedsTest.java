package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.testing.ChildJvm;

@Timeout(60)
class MovingNeedsTest {
    private static final String LOADED = "all loaded";

    /** The first read-only buffer of a process would have reads and writes compiled anew. */
    @Test
    void shouldLoadClassesThatReadsAndWritesWouldBeCompiledAnewFor() throws Exception {
        try (ChildJvm child = ChildJvm.start(List.of("-Xlog:class+load"), Map.of(), MovingNeedsTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output())
                    .containsSubsequence("java.nio.HeapByteBufferR ", LOADED)
                    .containsSubsequence("java.nio.DirectByteBufferR ", LOADED);
        }
    }

    public static void main(String[] arguments) {
        MovingNeeds.load();
        System.out.println(LOADED);
    }
}
