package org.ucxnio.session;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ucxnio.link.Home;
import org.ucxnio.link.Lane;
import org.ucxnio.link.RingLane;
import org.ucxnio.ring.Block;
import org.ucxnio.ring.RingMemory;

/** A connection that writes down what it is told. */
public final class FakeMovable extends Movable {
    final List<String> events = new CopyOnWriteArrayList<>();
    final InetSocketAddress local;
    final InetSocketAddress remote;

    volatile boolean established = true;

    /** Each runs within the call of that name. */
    volatile Runnable atIsEstablished = () -> {};

    volatile Runnable atHear = () -> {};

    volatile Runnable atSpeak = () -> {};
    volatile boolean sleepers = true;
    volatile boolean hears = true;
    volatile boolean speaks = true;

    volatile RingMemory memory;
    volatile ByteBuffer heard;
    volatile Block spoken;
    volatile String plainReason;

    public FakeMovable(InetSocketAddress local, InetSocketAddress remote) {
        this.local = local;
        this.remote = remote;
    }

    FakeMovable mirrored() {
        return new FakeMovable(remote, local);
    }

    @Override
    public InetSocketAddress local() {
        return local;
    }

    @Override
    public InetSocketAddress remote() {
        return remote;
    }

    @Override
    public boolean isEstablished() {
        atIsEstablished.run();
        return established;
    }

    @Override
    public Home home() {
        return null;
    }

    @Override
    public boolean hasSleepers() {
        return sleepers;
    }

    @Override
    public boolean hear(Lane lane) {
        atHear.run();
        if (hears) {
            memory = ((RingLane) lane).memory();
            heard = ((RingLane) lane).peers();
            events.add("hear");
        }
        return hears;
    }

    @Override
    public void unhear() {
        events.add("unhear");
    }

    @Override
    public boolean speak(Lane lane) {
        atSpeak.run();
        if (speaks) {
            memory = ((RingLane) lane).memory();
            spoken = ((RingLane) lane).own();
            events.add("speak");
        }
        return speaks;
    }

    @Override
    public void exits() {
        events.add("exits");
    }

    @Override
    public void sessionEnded() {
        events.add(memory != null && memory.isAlive() ? "ended too early" : "ended");
    }

    @Override
    public void staysPlain(String reason) {
        plainReason = reason;
        events.add("plain");
    }
}
