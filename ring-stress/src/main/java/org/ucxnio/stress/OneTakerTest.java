package org.ucxnio.stress;

import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingOut;
import org.ucxnio.ring.Waits;

/**
 * Two threads of the reader's process, one that makes room and one that leaves, find the writer asleep: exactly one of them wakes
 * it, as the word is cleared with a compare-and-set.
 */
@JCStressTest
@Outcome(
        id = {"true, false, 0", "false, true, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "Woken once")
@Outcome(expect = Expect.FORBIDDEN, desc = "Never woken, woken twice, or the word is set still")
@State
public class OneTakerTest {
    private static final int VALUE = 77;

    private final ByteBuffer memory = Rings.memory();
    private final RingOut out = Rings.writer(memory);
    private final RingIn in = new RingIn(memory);

    public OneTakerTest() {
        Rings.fill(out, Rings.INLINE, VALUE);
        out.wantRoom(Waits.TOKEN);
    }

    @Actor
    public void read(ZZI_Result result) {
        Rings.read(in, Rings.INLINE);
        result.r1 = in.publish() == Waits.TOKEN;
    }

    @Actor
    public void leave(ZZI_Result result) {
        result.r2 = in.leave(RingIn.LEFT_UNREAD) == Waits.TOKEN;
    }

    @Arbiter
    public void look(ZZI_Result result) {
        result.r3 = out.writerWaits();
    }
}
