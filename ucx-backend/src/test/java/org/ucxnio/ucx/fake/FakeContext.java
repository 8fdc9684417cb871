package org.ucxnio.ucx.fake;

import java.util.List;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcxContext;
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
    public List<String> transports() {
        return ucx.faults.transports();
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
