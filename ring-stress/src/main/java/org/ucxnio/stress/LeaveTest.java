package org.ucxnio.stress;

import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingOut;
import org.ucxnio.ring.Waits;

/**
 * No wake-up is lost when the reader leaves: either the writer, having said that it waits for room, sees that there will be no
 * reader, or the reader, having said so, sees that the writer waits. Both store, fence and look.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "Seen before it sleeps")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "Asleep, and to be woken")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Woken for nothing: it has seen it")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Asleep, and nobody wakes it")
@State
public class LeaveTest {
    private static final int VALUE = 77;

    private final ByteBuffer memory = Rings.memory();
    private final RingOut out = Rings.writer(memory);
    private final RingIn in = new RingIn(memory);

    public LeaveTest() {
        Rings.fill(out, Rings.INLINE, VALUE);
    }

    @Actor
    public void want(ZZ_Result result) {
        out.wantRoom(Waits.FUTEX);
        result.r1 = out.readerLeft() == RingIn.LEFT_UNREAD;
    }

    @Actor
    public void leave(ZZ_Result result) {
        result.r2 = in.leave(RingIn.LEFT_UNREAD) == Waits.FUTEX;
    }
}
