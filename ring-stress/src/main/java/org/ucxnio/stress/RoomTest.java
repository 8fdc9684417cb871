package org.ucxnio.stress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.ucxnio.ring.RingReader;
import org.ucxnio.ring.RingWriter;

/** A full ring: either the writer sees the room that is made, or the reader sees that it is wanted. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "Room before it was asked for")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "To be woken")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Woken for nothing")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Waits for ever")
@State
public class RoomTest {
    private static final int VALUE = 77;

    private final ByteBuffer memory = Rings.memory();
    private final RingWriter writer = new RingWriter(memory, Rings.LAYOUT);
    private final RingReader reader = new RingReader(memory, Rings.LAYOUT);

    public RoomTest() {
        boolean room = true;
        while (room) {
            room = Rings.write(writer, Rings.INLINE, VALUE);
        }
    }

    @Actor
    public void write(ZZ_Result result) {
        try {
            result.r1 = writer.wantRoom();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Actor
    public void read(ZZ_Result result) {
        Rings.look(reader, Rings.INLINE, VALUE);
        reader.release();
        result.r2 = reader.publish();
    }
}
