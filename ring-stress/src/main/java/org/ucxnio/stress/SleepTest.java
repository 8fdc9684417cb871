package org.ucxnio.stress;

import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingOut;
import org.ucxnio.ring.Waits;

/**
 * No wake-up for a record is lost: either the reader, having said that it waits, sees the record, or the writer, having committed
 * it, sees that the reader waits. Both store, fence and look.
 */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Asleep, and to be woken")
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "Woken for nothing: it has seen the record")
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "It does not sleep")
@Outcome(id = "false, true", expect = Expect.FORBIDDEN, desc = "Asleep, and nobody wakes it")
@State
public class SleepTest {
    private final ByteBuffer memory = Rings.memory();
    private final RingOut out = Rings.writer(memory);
    private final RingIn in = new RingIn(memory);

    @Actor
    public void write(ZZ_Result result) {
        Rings.write(out, 1, 1);
        result.r1 = out.takeReaderWait() == Waits.FUTEX;
    }

    @Actor
    public void sleep(ZZ_Result result) {
        in.wantRecord(Waits.FUTEX);
        result.r2 = !in.hasRecord();
    }
}
