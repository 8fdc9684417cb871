package org.ucxnio.bench.programs.ratis;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;

/** The number of all transactions so far, which is the answer to each of them and to each query. */
final class Counter extends BaseStateMachine {
    /** What clients send. */
    static final Message ONE_MORE = Message.valueOf("one more");

    /** Written by the one thread that applies transactions. */
    private volatile long count;

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        long counted = count + 1;
        count = counted;
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        return answer(counted);
    }

    @Override
    public CompletableFuture<Message> query(Message request) {
        return answer(count);
    }

    private static CompletableFuture<Message> answer(long value) {
        return CompletableFuture.completedFuture(Message.valueOf(Long.toString(value)));
    }

    /** The number in a reply. */
    static long valueOf(RaftClientReply reply) {
        if (!reply.isSuccess()) {
            throw new IllegalStateException("not done: " + reply);
        }
        return Long.parseLong(reply.getMessage().getContent().toString(StandardCharsets.US_ASCII));
    }
}
