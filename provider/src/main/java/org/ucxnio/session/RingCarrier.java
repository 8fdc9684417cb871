package org.ucxnio.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.Natives;
import org.ucxnio.link.Bells;
import org.ucxnio.link.Carrier;
import org.ucxnio.link.FutexAgreement;
import org.ucxnio.link.Home;
import org.ucxnio.link.Lane;
import org.ucxnio.link.RingLane;
import org.ucxnio.memory.MemoryBudget;
import org.ucxnio.memory.SessionMemory;
import org.ucxnio.memory.SlabFiles;
import org.ucxnio.memory.SlabName;
import org.ucxnio.ring.Block;

/**
 * Carries connections in rings: files of the rendezvous directory. It introduces itself with the token of its process, and a byte that says
 * whether the process is able to wake sleepers by futexes ({@value #FUTEX}) or not ({@value #NO_FUTEX}).
 */
final class RingCarrier implements Carrier {
    /** Size in bytes of a ring at first. */
    static final int FIRST_RING_BYTES = 4 << 10;

    private static final byte NO_FUTEX = 0;
    private static final byte FUTEX = 1;

    private final SlabFiles files;
    private final byte[] token;
    private final MemoryBudget budget;

    RingCarrier(SlabFiles files, byte[] token, MemoryBudget budget) {
        this.files = files;
        this.token = token;
        this.budget = budget;
    }

    @Override
    public int kind() {
        return KIND_RINGS;
    }

    @Override
    public void introduce(ByteBuffer hello) {
        hello.put(token).put(Natives.hasForeignFunctions() ? FUTEX : NO_FUTEX);
    }

    @Override
    public Bond join(ByteBuffer hello, boolean onThisHost, IntConsumer notes) {
        byte[] peerToken = new byte[SlabName.TOKEN_BYTES];
        hello.get(peerToken);
        boolean canWake = hello.get() == FUTEX;
        return new RingBond(
                new SessionMemory(files, token, peerToken, budget, notes),
                new Bells(),
                new FutexAgreement(canWake, notes));
    }

    /**
     * The notes are numbers of slabs that were made, and what is said about futexes.
     *
     * @param bells those of the peer's process
     * @param futexes with the peer's process
     */
    private record RingBond(SessionMemory memory, Bells bells, FutexAgreement futexes) implements Bond {
        @Override
        public Lane open(Home home) throws IOException {
            Block block;
            try {
                block = memory.allocate(FIRST_RING_BYTES);
            } catch (IOException e) {
                throw new IOException("no memory for a ring: " + e.getMessage(), e);
            }
            if (block == null) {
                throw new IOException("the process holds as much memory for rings as it may");
            }
            return new RingLane(memory, block, bells, futexes);
        }

        @Override
        public void expectSleepers() {
            futexes.expect();
        }

        @Override
        public void onNote(int number) {
            if (futexes.onNote(number)) {
                return;
            }
            try {
                memory.mapPeerSlab(number);
            } catch (IOException e) {
                // Nothing is lost yet. A record that names it says so again to the one who reads it.
                Log.debug("A peer's slab could not be mapped: " + e);
            }
        }

        /** {@inheritDoc} What was written to a ring can be read without this process. */
        @Override
        public boolean isDraining() {
            return false;
        }

        @Override
        public void end() {
            memory.end();
            bells.close();
        }
    }
}
