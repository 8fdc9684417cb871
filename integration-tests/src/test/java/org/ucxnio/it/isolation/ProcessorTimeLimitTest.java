package org.ucxnio.it.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.ControlGroup;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.programs.LimitTeller;

/** A process in a container that may use a part of a processor knows that: when connections move depends on it ({@code channel.MovePolicy}). */
@Bounded
class ProcessorTimeLimitTest {
    private static final int PERCENT = 50;

    private static ControlGroup group() {
        if (Runtime.getRuntime().availableProcessors() == 1) {
            return Skips.skip("half of a processor is as many as there are");
        }
        try {
            return ControlGroup.ofProcessorTime(PERCENT);
        } catch (IOException e) {
            return Skips.skip("no control group: " + e);
        }
    }

    @Test
    void shouldKnowTheLimitOfItsGroup() throws Exception {
        try (ControlGroup group = group();
                ChildJvm process = JvmBuilder.of(Flavour.DEFAULTS, LimitTeller.class)
                        .prefix(group.words())
                        .start()) {
            assertThat(process.expect("LIMIT ")).isEqualTo(Integer.toString(PERCENT));
        }
    }
}
