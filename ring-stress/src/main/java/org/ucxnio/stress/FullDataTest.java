package org.ucxnio.stress;

import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.ucxnio.ring.RingReader;
import org.ucxnio.ring.RingWriter;

/** A full ring: the bytes of a payload are not written again before the payload was read. */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "No room yet; what was there is whole")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Room again; what was there had been read whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "Overwritten before it was read")
@State
public class FullDataTest {
    private static final int OLD = 77;
    private static final int NEW = 99;

    private final ByteBuffer memory = Rings.memory();
    private final RingWriter writer = new RingWriter(memory, Rings.LAYOUT);
    private final RingReader reader = new RingReader(memory, Rings.LAYOUT);

    public FullDataTest() {
        boolean room = true;
        while (room) {
            room = Rings.write(writer, Rings.LARGE, OLD);
        }
    }

    @Actor
    public void write(II_Result result) {
        result.r1 = Rings.write(writer, Rings.LARGE, NEW) ? 1 : 0;
    }

    @Actor
    public void read(II_Result result) {
        result.r2 = Rings.look(reader, Rings.LARGE, OLD);
        reader.release();
        reader.publish();
    }
}
