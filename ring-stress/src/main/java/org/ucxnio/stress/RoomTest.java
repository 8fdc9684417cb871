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
 * No wake-up for room is lost: either the writer, having said that it waits, sees the room, or the reader, having made it, sees
 * that the writer waits. Both store, fence and look.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "Room before it was asked for")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "Asleep, and to be woken")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Woken for nothing: it has seen the room")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Asleep, and nobody wakes it")
@State
public class RoomTest {
    private static final int VALUE = 77;

    private final ByteBuffer memory = Rings.memory();
    private final RingOut out = Rings.writer(memory);
    private final RingIn in = new RingIn(memory);

    public RoomTest() {
        Rings.fill(out, Rings.INLINE, VALUE);
    }

    @Actor
    public void want(ZZ_Result result) {
        out.wantRoom(Waits.FUTEX);
        result.r1 = out.hasRoom();
    }

    @Actor
    public void read(ZZ_Result result) {
        Rings.read(in, Rings.INLINE);
        result.r2 = in.publish() == Waits.FUTEX;
    }
}
