package org.ucxnio.ucx.backend;

import java.util.ArrayList;
import java.util.List;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxMessage;
import org.ucxnio.ucx.UcxWorkerListener;

/** Remembers what it hears. */
class RecordingListener implements UcxWorkerListener {
    record Completion(long token, int status) {}

    final List<byte[]> messages = new ArrayList<>();
    final List<Completion> completions = new ArrayList<>();
    final List<Integer> failures = new ArrayList<>();
    private final NativeMemory scratch;

    /** @param scratch at least as large as any message */
    RecordingListener(NativeMemory scratch) {
        this.scratch = scratch;
    }

    @Override
    public void onMessage(UcxMessage message) {
        byte[] bytes = new byte[message.length()];
        message.copyTo(0, scratch, 0, bytes.length);
        scratch.buffer().get(0, bytes);
        messages.add(bytes);
    }

    @Override
    public void onSendCompleted(long token, int status) {
        completions.add(new Completion(token, status));
    }

    @Override
    public void onEndpointFailed(UcxEndpoint endpoint, int status) {
        failures.add(status);
    }
}
