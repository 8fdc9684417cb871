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

/** A record whose payload lies in the data area is seen whole, or not at all, although earlier ones have left theirs. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Not there yet")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "There, whole")
@Outcome(id = "2", expect = Expect.FORBIDDEN, desc = "There, but not whole")
@State
public class LargeRecordTest {
    private static final int VALUE = 77;

    private final ByteBuffer memory = Rings.memory();
    private final RingWriter writer = new RingWriter(memory, Rings.LAYOUT);
    private final RingReader reader = new RingReader(memory, Rings.LAYOUT);

    public LargeRecordTest() {
        Rings.lap(writer, reader, Rings.LARGE, ~VALUE);
    }

    @Actor
    public void write() {
        Rings.write(writer, Rings.LARGE, VALUE);
    }

    @Actor
    public void read(I_Result result) {
        result.r1 = Rings.look(reader, Rings.LARGE, VALUE);
    }
}
