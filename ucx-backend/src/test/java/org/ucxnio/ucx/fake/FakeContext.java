package org.ucxnio.ucx.fake;

import java.nio.ByteBuffer;
import java.util.List;
import org.ucxnio.ucx.MappedMemory;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.SharedMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxWorker;
import org.ucxnio.ucx.UcxWorkerListener;

/** A context of the fake: a place that workers and memory come from. */
final class FakeContext implements UcxContext {
    private final FakeUcx ucx;

    FakeContext(FakeUcx ucx) {
        this.ucx = ucx;
    }

    @Override
    public UcxWorker createWorker(UcxWorkerListener listener) {
        return new FakeWorker(ucx, listener);
    }

    @Override
    public NativeMemory allocate(int sizeBytes) {
        return new FakeMemory(ucx, sizeBytes);
    }

    @Override
    public SharedMemory allocateShared(int sizeBytes) {
        return new FakeSharedMemory(ucx, sizeBytes);
    }

    @Override
    public MappedMemory map(byte[] packedKey, int sizeBytes) throws UcxException {
        FakeSharedMemory memory = ucx.sharedMemory(packedKey);
        if (sizeBytes > memory.buffer().capacity()) {
            throw new UcxException("fake mapping", UcsStatus.ERR_UNREACHABLE);
        }
        ByteBuffer view =
                memory.buffer().slice(0, sizeBytes).order(memory.buffer().order());
        return new MappedMemory() {
            @Override
            public ByteBuffer buffer() {
                return view;
            }

            @Override
            public void close() {
                // The garbage collector's.
            }
        };
    }

    @Override
    public List<String> transports() {
        return ucx.faults.transports();
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
