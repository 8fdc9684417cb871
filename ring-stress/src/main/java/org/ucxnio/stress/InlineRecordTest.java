package org.ucxnio.stress;

import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingOut;

/**
 * A record that lies in its slot is seen whole, or not at all, although an earlier lap has left others there: the commit word is
 * stored with release behind the payload, and loaded with acquire before it.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Not there yet")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "There, whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "There, but not whole")
@State
public class InlineRecordTest {
    private static final int VALUE = 77;

    private final ByteBuffer memory = Rings.memory();
    private final RingOut out = Rings.writer(memory);
    private final RingIn in = new RingIn(memory);

    public InlineRecordTest() {
        Rings.lap(out, in, Rings.INLINE, ~VALUE);
    }

    @Actor
    public void write() {
        Rings.write(out, Rings.INLINE, VALUE);
    }

    @Actor
    public void read(I_Result result) {
        result.r1 = Rings.look(in, Rings.INLINE, VALUE);
    }
}
