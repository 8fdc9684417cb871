package org.ucxnio.stress;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.ucxnio.ring.Block;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingMemory;
import org.ucxnio.ring.RingOut;

/**
 * A stream that goes on in another block, in which another ring was before: the reader that sees the record of the move finds
 * there what belongs to this stream, or nothing, as the block was zeroed before the record was committed.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Not moved yet")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "Moved, and nothing there yet")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Moved, and the record is there, whole")
@Outcome(
        expect = Expect.FORBIDDEN,
        desc = "Something of the ring that was there before, not whole, or not where it says")
@State
public class MovedTest {
    private static final int OLD = 77;
    private static final int NEW = 99;
    private static final int SLAB = 3;
    private static final int OFFSET = 8 << 10;

    private final ByteBuffer memory = Rings.memory();
    private final RingOut out = Rings.writer(memory);
    private final RingIn in = new RingIn(memory);

    private final ByteBuffer next = Rings.memory();

    public MovedTest() {
        Rings.fill(Rings.writer(next), Rings.INLINE, OLD);
    }

    @Actor
    public void write() {
        Rings.zero(next);
        out.moveTo(new Block(SLAB, OFFSET, next));
        Rings.write(Rings.writer(next), Rings.INLINE, NEW);
    }

    @Actor
    public void read(II_Result result) {
        if (in.isMoved()) {
            result.r1 = 1;
            result.r2 = lookThere();
        }
    }

    private int lookThere() {
        try {
            return Rings.look(new RingIn(in.next(new Peers(next))), Rings.INLINE, NEW);
        } catch (IOException e) {
            return Rings.TORN;
        }
    }

    /** Knows the one block. */
    private record Peers(ByteBuffer block) implements RingMemory {
        @Override
        public ByteBuffer peerBlock(int slab, int offset, int bytes) throws IOException {
            if (slab != SLAB || offset != OFFSET || bytes != block.capacity()) {
                throw new IOException("No such block");
            }
            return block;
        }

        @Override
        public Block allocate(int bytes) {
            return null;
        }

        @Override
        public void retire(Block used) {}

        @Override
        public void free(Block unused) {}

        @Override
        public boolean isAlive() {
            return true;
        }
    }
}
