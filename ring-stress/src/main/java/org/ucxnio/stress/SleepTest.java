package org.ucxnio.stress;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.ucxnio.ring.RingReader;
import org.ucxnio.ring.RingWriter;

/** No wakeup is lost: either the writer finds the reader asleep, or the reader finds the ring not empty. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Asleep, and to be woken")
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "Woken for nothing: it has seen the record")
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "It does not sleep")
@Outcome(id = "false, true", expect = Expect.FORBIDDEN, desc = "Asleep, and nobody wakes it")
@State
public class SleepTest {
    private final ByteBuffer memory = Rings.memory();
    private final RingWriter writer = new RingWriter(memory, Rings.LAYOUT);
    private final RingReader reader = new RingReader(memory, Rings.LAYOUT);

    private final ReentrantLock lock = new ReentrantLock();

    @Actor
    public void write(ZZ_Result result) {
        Rings.reserve(writer, 0, 1);
        result.r1 = Rings.commit(writer, 1, lock);
    }

    @Actor
    public void sleep(ZZ_Result result) {
        result.r2 = reader.sleeps();
    }
}
