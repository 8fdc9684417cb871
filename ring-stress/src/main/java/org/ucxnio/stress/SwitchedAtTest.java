package org.ucxnio.stress;

import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JIJ_Result;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingOut;

/**
 * Where the stream changes over is seen together with what was written to the ring before, and before what is written to it
 * behind: the position and the commit words are stored with release and loaded with acquire. Both halves of the position are
 * seen, or none.
 */
@JCStressTest
@Outcome(
        id = {"-1, 0, -1", "-1, 1, -1"},
        expect = Expect.ACCEPTABLE,
        desc = "Not switched yet")
@Outcome(
        id = {"-1, 0, 81985529216486895", "-1, 1, 81985529216486895"},
        expect = Expect.ACCEPTABLE,
        desc = "Switched meanwhile")
@Outcome(
        id = "-1, 2, 81985529216486895",
        expect = Expect.ACCEPTABLE,
        desc = "Switched meanwhile, as the second record says")
@Outcome(
        id = {"81985529216486895, 1, 81985529216486895", "81985529216486895, 2, 81985529216486895"},
        expect = Expect.ACCEPTABLE,
        desc = "Switched, and the first record is there")
@Outcome(expect = Expect.FORBIDDEN, desc = "Half a position, or records that are there too late or too early")
@State
public class SwitchedAtTest {
    private static final long POSITION = 0x0123_4567_89AB_CDEFL;
    private static final int VALUE = 77;
    private static final int TORN = -1;

    private final ByteBuffer memory = Rings.memory();
    private final RingOut out = Rings.writer(memory);
    private final RingIn in = new RingIn(memory);

    public SwitchedAtTest() {
        Rings.lap(out, in, Rings.INLINE, ~VALUE);
    }

    @Actor
    public void write() {
        Rings.write(out, Rings.INLINE, VALUE);
        out.switchAt(POSITION);
        Rings.write(out, Rings.INLINE, VALUE);
    }

    @Actor
    public void read(JIJ_Result result) {
        result.r1 = in.switchedAt();
        byte[] read = Rings.read(in, 2 * Rings.INLINE);
        result.r3 = in.switchedAt();
        int records = read.length / Rings.INLINE;
        boolean isWhole = records == 0 || Rings.check(read, records * Rings.INLINE, VALUE) == Rings.WHOLE;
        result.r2 = isWhole ? records : TORN;
    }
}
