package org.ucxnio.it.programs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.TP;
import org.ucxnio.it.harness.BytePattern;

/**
 * A member of a JGroups cluster with the stack that JGroups brings for {@code TCP_NIO2}. {@code multicast} multicasts messages, waits
 * for those of all members, its own as well, and answers how long that took; every message is checked. Arguments: own port, port of
 * the first member, number of members, which one this is, messages of each in a round, seed.
 */
public final class JGroupsMember implements Receiver {
    private static final int LENGTH = 10_000;
    private static final long PATIENCE_SECONDS = 25;

    private final int members;
    private final int rank;
    private final int messages;
    private final long seed;
    private final CountDownLatch complete = new CountDownLatch(1);
    private final Semaphore arrived = new Semaphore(0);

    /** The number of the next message, by sender. */
    private final AtomicIntegerArray expected;

    private volatile String failure;
    private int sent;

    private JGroupsMember(int members, int rank, int messages, long seed) {
        this.members = members;
        this.rank = rank;
        this.messages = messages;
        this.seed = seed;
        this.expected = new AtomicIntegerArray(members);
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        JGroupsMember member = new JGroupsMember(
                Integer.parseInt(arguments[2]),
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4]),
                Long.parseLong(arguments[5]));
        JChannel channel = open(port, Integer.parseInt(arguments[1]));
        channel.setReceiver(member).connect("test");
        Commands.print("LISTENING " + port);
        Commands.serve(Map.of("multicast", () -> member.multicast(channel)));
    }

    private static JChannel open(int port, int firstPort) throws Exception {
        JChannel channel = new JChannel("tcp-nio.xml");
        TP transport = channel.getProtocolStack().getTransport();
        transport.setBindAddress(InetAddress.getByName("127.0.0.1"));
        transport.setBindPort(port);
        transport.getDiagnosticsHandler().setEnabled(false);
        TCPPING discovery = channel.getProtocolStack().findProtocol(TCPPING.class);
        discovery.setInitialHosts(List.of(new InetSocketAddress("127.0.0.1", firstPort)));
        discovery.setPortRange(0);
        return channel;
    }

    private String multicast(JChannel channel) throws Exception {
        check(complete.await(PATIENCE_SECONDS, TimeUnit.SECONDS), "Not all members are there: " + channel.getView());
        long start = System.nanoTime();
        for (int i = 0; i < messages; i++) {
            channel.send(new BytesMessage(null, message(sent++)));
        }
        boolean all = arrived.tryAcquire(members * messages, PATIENCE_SECONDS, TimeUnit.SECONDS);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        check(failure == null, failure);
        check(all, "Messages are missing, the next ones would be " + expected + " of each member");
        return "MULTICAST " + millis;
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }

    /** Sender, number, and a pattern. */
    private byte[] message(int number) {
        ByteBuffer buffer = ByteBuffer.allocate(LENGTH).putInt(rank).putInt(number);
        pattern(rank, number).fill(buffer);
        return buffer.array();
    }

    private BytePattern pattern(int sender, int number) {
        return new BytePattern(seed + ((long) sender << 32) + number);
    }

    @Override
    public void viewAccepted(View view) {
        if (view.size() == members) {
            complete.countDown();
        }
    }

    /** Called for one message of a sender at a time. */
    @Override
    public void receive(Message message) {
        try {
            verify(ByteBuffer.wrap(message.getArray(), message.getOffset(), message.getLength()));
        } catch (RuntimeException e) {
            failure = e.toString();
        }
        arrived.release();
    }

    private void verify(ByteBuffer message) {
        check(message.remaining() == LENGTH, message.remaining() + " bytes instead of " + LENGTH);
        int sender = message.getInt();
        int number = message.getInt();
        int next = expected.getAndIncrement(sender);
        check(number == next, "Message " + number + " of " + sender + " instead of " + next);
        pattern(sender, number).verify(message);
    }
}
