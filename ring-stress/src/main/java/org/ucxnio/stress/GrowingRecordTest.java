package org.ucxnio.stress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.ucxnio.ring.RingReader;
import org.ucxnio.ring.RingWriter;

/** A record that grows while it is read, and is followed by another: in whatever parts it is read, nothing is missing or comes twice. */
@JCStressTest
@Outcome(
        id = {"0, 40", "8, 40", "16, 40", "24, 40", "40, 40"},
        expect = Expect.ACCEPTABLE,
        desc = "All of it in the end")
@Outcome(expect = Expect.FORBIDDEN, desc = "Something is missing, comes twice or is not what was written")
@State
public class GrowingRecordTest {
    private static final int WRONG = -1000;

    private final ByteBuffer memory = Rings.memory();
    private final RingWriter writer = new RingWriter(memory, Rings.LAYOUT);
    private final RingReader reader = new RingReader(memory, Rings.LAYOUT);
    private int seen;

    public GrowingRecordTest() {
        Rings.lap(writer, reader, Rings.INLINE, ~77);
    }

    @Actor
    public void write() {
        try {
            put(writer.reserve(8), 0, 8);
            writer.commit(1, 0, 0);
            put(writer.reserveMore(1, 8), 8, 8);
            writer.commitMore(8);
            put(writer.reserveMore(1, 8), 16, 8);
            writer.commitMore(8);
            put(writer.reserve(16), 24, 16);
            writer.commit(1, 0, 24);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void put(int at, int first, int count) {
        for (int i = 0; i < count; i++) {
            memory.put(at + i, (byte) (first + i));
        }
    }

    @Actor
    public void read(II_Result result) {
        readAll();
        result.r1 = seen;
    }

    @Arbiter
    public void readRest(II_Result result) {
        readAll();
        result.r2 = seen;
    }

    private void readAll() {
        try {
            while (reader.next()) {
                boolean right = reader.position() == seen;
                for (int i = 0; i < reader.length(); i++) {
                    right &= memory.get(reader.payload() + i) == (byte) (seen + i);
                }
                seen += right ? reader.length() : WRONG;
                reader.release();
            }
        } catch (IOException e) {
            seen = WRONG;
        }
    }
}
