package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.VirtualCrowd;

/** However many virtual threads block in our channels and selectors, two carriers do for all the others. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#flavours")
class CarrierTest {
    private static final List<String> KINDS =
            List.of("read", "read plain", "write", "write plain", "accept", "connect", "select plain", "select");

    /**
     * A thread that we have wait where it cannot leave its carrier. What the JDK waits for within a call of ours is not meant: its class
     * loaders and its own critical sections pin a virtual thread for a moment, whoever calls, as does a class that another thread
     * initialises, or links: with code 2, that of critical sections, which none of ours begins, and no frame of a wait above ours.
     */
    private static final Pattern OURS = Pattern.compile(
            "PINNED \\((?!Waited for initialization)(?!Freeze or preempt failed \\(2\\)\\) org\\.ucxnio\\.).*?\\)"
                    + "( java\\.util\\.concurrent\\.\\S+| java\\.lang\\.(Object\\.wait|Thread\\.(sleep|join))\\S*)* org\\.ucxnio\\.(?!it\\.).*");

    @Parameter
    private Flavour flavour;

    @Test
    void shouldDoWithTwoCarriers() throws Exception {
        // More than two are allowed, so that it is seen if anything asks for another.
        try (ChildJvm child = JvmBuilder.of(flavour, VirtualCrowd.class)
                .property("jdk.virtualThreadScheduler.parallelism", 2)
                .property("jdk.virtualThreadScheduler.maxPoolSize", 64)
                .property("ucxnio.window", "16k")
                .start()) {
            Traffic traffic = Traffic.parse(Traffic.PREFIX + child.expect(Traffic.PREFIX));
            if (flavour.isOurs()) {
                assertThat(traffic.rings() + traffic.accelerated()).isPositive();
                assertThat(traffic.rings() > 0).isEqualTo(flavour == Flavour.RINGS);
                assertThat(traffic.plain()).isPositive();
            }
            for (String kind : KINDS) {
                String line = child.expect("");
                assertThat(line).startsWith("BLOCKED " + kind + ",").matches(".*, carriers [12]");
            }
            List<String> ours = new ArrayList<>();
            for (String line = child.expect(""); !line.equals("END"); line = child.expect("")) {
                if (OURS.matcher(line).matches()) {
                    ours.add(line);
                }
            }
            assertThat(ours).as("%s", ours).isEmpty();
            assertThat(child.awaitExit(ChildJvm.PATIENCE)).isZero();
        }
    }
}
