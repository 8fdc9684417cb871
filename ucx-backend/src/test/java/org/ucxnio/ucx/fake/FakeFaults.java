package org.ucxnio.ucx.fake;

import java.util.List;
import org.ucxnio.ucx.UcsStatus;

/**
 * What goes wrong, asked at each occasion. Override what a test needs; everything goes well by default. Methods are called
 * with the fake's lock held: they answer at once and call nothing of the fake's.
 */
public interface FakeFaults {
    /** Nothing goes wrong. */
    FakeFaults NONE = new FakeFaults() {};

    /**
     * How a send begins: {@link UcsStatus#OK} to go the usual way, {@link UcsStatus#INPROGRESS} to be pending even where
     * there is room, a negative status to be refused.
     */
    default int onSend(FakeEndpoint endpoint, int length) {
        return UcsStatus.OK;
    }

    /** Whether messages that reached a worker stay undelivered for now. */
    default boolean holdsDelivery(FakeWorker receiver) {
        return false;
    }

    /** Whether pending sends of a worker stay where they are for now. */
    default boolean holdsPending(FakeWorker sender) {
        return false;
    }

    /** Whether something that a worker has sent does not leave the process for now. */
    default boolean holdsFlush(FakeWorker sender) {
        return false;
    }

    /** Whether completions of a worker's sends stay unreported for now. */
    default boolean holdsCompletions(FakeWorker sender) {
        return false;
    }

    /** Why an endpoint cannot be created; {@link UcsStatus#OK} where it can. */
    default int onConnect(FakeWorker worker) {
        return UcsStatus.OK;
    }

    /** The transports that contexts name. */
    default List<String> transports() {
        return List.of("fake/memory");
    }

    /** Whether a message is lost on its way, as no reliable transport may do. */
    default boolean loses(FakeEndpoint endpoint, int length) {
        return false;
    }
}
