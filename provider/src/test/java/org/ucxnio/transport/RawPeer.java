package org.ucxnio.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxMessage;
import org.ucxnio.ucx.UcxWorker;
import org.ucxnio.ucx.UcxWorkerListener;
import org.ucxnio.ucx.fake.FakeWorker;

/** A peer that speaks the protocol message by message, truly or not. */
final class RawPeer implements UcxWorkerListener, AutoCloseable {
    /** A message as it arrived. */
    record Message(int id, int type, int length, long position, byte[] payload) {
        long payloadLong() {
            return ByteBuffer.wrap(payload).order(ByteOrder.nativeOrder()).getLong();
        }
    }

    private final UcxContext context;
    private final UcxWorker worker;
    private final NativeMemory scratch;
    private final List<NativeMemory> memory = new ArrayList<>();
    final List<Message> received = new ArrayList<>();
    private UcxEndpoint endpoint;

    RawPeer(Processes processes) throws UcxException {
        context = processes.ucx.openContext(new UcxContextOptions("raw", Map.of()));
        worker = context.createWorker(this);
        processes.faults.spare((FakeWorker) worker);
        scratch = context.allocate(1 << 17);
    }

    byte[] address() {
        return worker.address();
    }

    void connect(byte[] workerAddress) throws UcxException {
        endpoint = worker.connect(workerAddress);
    }

    int progress() {
        return worker.progress();
    }

    void data(int id, long position, byte[] payload) throws UcxException {
        send(id, Frame.DATA, payload.length, position, payload);
    }

    void fin(int id, long total) throws UcxException {
        send(id, Frame.FIN, 0, total);
    }

    void acknowledge(int id, long bytes, long messages) throws UcxException {
        byte[] payload = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(messages)
                .array();
        send(id, Frame.ACK, payload.length, bytes, payload);
    }

    /** Sends a message that says what it is told to say. */
    void send(int id, int type, int length, long position, byte... payload) throws UcxException {
        ByteBuffer message = ByteBuffer.allocate(Frame.HEADER_LENGTH + payload.length)
                .order(ByteOrder.nativeOrder())
                .putInt(id)
                .putInt(Frame.typeAndLength(type, length))
                .putLong(position)
                .put(payload);
        sendBytes(message.array());
    }

    void sendBytes(byte[] message) throws UcxException {
        NativeMemory block = context.allocate(Math.max(1, message.length));
        memory.add(block);
        block.buffer().put(0, message);
        endpoint.send(block, 0, message.length, 0);
    }

    @Override
    public void onMessage(UcxMessage message) {
        int typeAndLength = message.getInt(Frame.TYPE_LENGTH_OFFSET);
        byte[] payload = new byte[message.length() - Frame.HEADER_LENGTH];
        message.copyTo(Frame.PAYLOAD_OFFSET, scratch, 0, payload.length);
        scratch.buffer().get(0, payload);
        received.add(new Message(
                message.getInt(Frame.CONNECTION_OFFSET),
                Frame.type(typeAndLength),
                Frame.length(typeAndLength),
                message.getLong(Frame.POSITION_OFFSET),
                payload));
    }

    /** What came for one of its connections, but for what is of no connection. */
    List<Message> received(int id) {
        return received.stream().filter(message -> message.id() == id).toList();
    }

    @Override
    public void onSendCompleted(long token, int status) {
        // its memory is freed at the end
    }

    @Override
    public void onEndpointFailed(UcxEndpoint failed, int status) {
        // it does not mind
    }

    @Override
    public void close() {
        worker.close();
        memory.forEach(NativeMemory::close);
        scratch.close();
    }
}
