package org.ucxnio.stress;

import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingOut;
import org.ucxnio.ring.Waits;

/**
 * Two records for one sleep: one of them wakes the reader, where it sleeps, and not both. Who wakes it clears the word with a
 * compare-and-set.
 */
@JCStressTest
@Outcome(
        id = {"true, false, true", "false, true, true"},
        expect = Expect.ACCEPTABLE,
        desc = "Asleep, and woken once")
@Outcome(
        id = {"true, false, false", "false, true, false", "false, false, false"},
        expect = Expect.ACCEPTABLE,
        desc = "It does not sleep")
@Outcome(expect = Expect.FORBIDDEN, desc = "Asleep for ever, or woken twice")
@State
public class WakeOnceTest {
    private final ByteBuffer memory = Rings.memory();
    private final RingOut out = Rings.writer(memory);
    private final RingIn in = new RingIn(memory);

    @Actor
    public void write(ZZZ_Result result) {
        Rings.write(out, 1, 1);
        result.r1 = out.takeReaderWait() == Waits.FUTEX;
        Rings.write(out, 1, 1);
        result.r2 = out.takeReaderWait() == Waits.FUTEX;
    }

    @Actor
    public void sleep(ZZZ_Result result) {
        in.wantRecord(Waits.FUTEX);
        result.r3 = !in.hasRecord();
    }
}
