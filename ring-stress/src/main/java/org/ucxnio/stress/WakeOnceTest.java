package org.ucxnio.stress;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;
import org.ucxnio.ring.RingReader;
import org.ucxnio.ring.RingWriter;

/** Two records for one sleep: one of them wakes the reader, where it sleeps, and not both. */
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
    private final RingWriter writer = new RingWriter(memory, Rings.LAYOUT);
    private final RingReader reader = new RingReader(memory, Rings.LAYOUT);

    private final ReentrantLock lock = new ReentrantLock();

    @Actor
    public void write(ZZZ_Result result) {
        Rings.reserve(writer, 0, 1);
        result.r1 = Rings.commit(writer, 1, lock);
        Rings.reserve(writer, 0, 1);
        result.r2 = Rings.commit(writer, 1, lock);
    }

    @Actor
    public void sleep(ZZZ_Result result) {
        result.r3 = reader.sleeps();
    }
}
