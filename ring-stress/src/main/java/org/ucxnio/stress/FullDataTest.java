package org.ucxnio.stress;

import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingOut;

/**
 * A ring whose data area is full: the bytes of a payload are not written again before the payload was read. The reader says with
 * release what it has consumed, and the writer reads that with acquire.
 */
@JCStressTest
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "No room yet; what was there is whole")
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "Room again; what was there had been read whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "Overwritten before it was read, or something is missing")
@State
public class FullDataTest {
    private static final int OLD = 77;
    private static final int NEW = 99;

    private final ByteBuffer memory = Rings.memory();
    private final RingOut out = Rings.writer(memory);
    private final RingIn in = new RingIn(memory);

    private final int records = Rings.fill(out, Rings.LARGE, OLD);

    @Actor
    public void write(III_Result result) {
        result.r1 = Rings.write(out, Rings.LARGE, NEW) / Rings.LARGE;
    }

    @Actor
    public void read(III_Result result) {
        byte[] read = Rings.read(in, Rings.LARGE);
        in.publish();
        result.r2 = Rings.check(read, Rings.LARGE, OLD);
    }

    @Arbiter
    public void readRest(III_Result result) {
        int rest = Rings.lookAtAll(in, records - 1, Rings.LARGE, OLD);
        boolean isRight = Rings.look(in, Rings.LARGE, NEW) == (result.r1 == 0 ? Rings.NOTHING : Rings.WHOLE);
        result.r3 = isRight ? rest : Rings.TORN;
    }
}
