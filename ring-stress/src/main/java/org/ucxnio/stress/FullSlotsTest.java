package org.ucxnio.stress;

import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.ucxnio.ring.Block;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingOut;

/**
 * A ring whose slots are full: a slot is not written again before its record was read. The reader says with release what it has
 * consumed, and the writer reads that with acquire. The last slot is for the record that says where the stream goes on; together
 * with one more record it comes to lie where the oldest one was.
 */
@JCStressTest
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "No room yet; what was there is whole")
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "Room again; what was there had been read whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "Overwritten before it was read, or something is missing")
@State
public class FullSlotsTest {
    private static final int OLD = 77;
    private static final int NEW = 99;
    private static final Block NEXT = new Block(-1, -1, ByteBuffer.allocate(0));

    private final ByteBuffer memory = Rings.memory();
    private final RingOut out = Rings.writer(memory);
    private final RingIn in = new RingIn(memory);

    private final int records = Rings.fill(out, Rings.INLINE, OLD);

    @Actor
    public void write(III_Result result) {
        result.r1 = Rings.write(out, Rings.INLINE, NEW) / Rings.INLINE;
        if (result.r1 == 1) {
            out.moveTo(NEXT);
        }
    }

    @Actor
    public void read(III_Result result) {
        byte[] read = Rings.read(in, Rings.INLINE);
        in.publish();
        result.r2 = Rings.check(read, Rings.INLINE, OLD);
    }

    @Arbiter
    public void readRest(III_Result result) {
        int rest = Rings.lookAtAll(in, records - 1, Rings.INLINE, OLD);
        boolean isRight =
                result.r1 == 0 ? !in.hasRecord() : Rings.look(in, Rings.INLINE, NEW) == Rings.WHOLE && in.isMoved();
        result.r3 = isRight ? rest : Rings.TORN;
    }
}
