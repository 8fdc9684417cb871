package org.ucxnio.stress;

import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.ucxnio.ring.RingReader;
import org.ucxnio.ring.RingWriter;

/** A record that lies in its slot is seen whole, or not at all, although an earlier lap has left others there. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Not there yet")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "There, whole")
@Outcome(id = "2", expect = Expect.FORBIDDEN, desc = "There, but not whole")
@State
public class InlineRecordTest {
    private static final int VALUE = 77;

    private final ByteBuffer memory = Rings.memory();
    private final RingWriter writer = new RingWriter(memory, Rings.LAYOUT);
    private final RingReader reader = new RingReader(memory, Rings.LAYOUT);

    public InlineRecordTest() {
        Rings.lap(writer, reader, Rings.INLINE, ~VALUE);
    }

    @Actor
    public void write() {
        Rings.write(writer, Rings.INLINE, VALUE);
    }

    @Actor
    public void read(I_Result result) {
        result.r1 = Rings.look(reader, Rings.INLINE, VALUE);
    }
}
