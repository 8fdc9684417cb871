package org.ucxnio.selector;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.Descriptors;
import org.ucxnio.link.Bell;

/**
 * The pipe that a selector sleeps on for its rings, beside the sockets of their connections: whoever writes to a ring that waits for it puts
 * the name of its key into the pipe. A byte over the socket costs both processes three times as much. Owned by the selecting thread.
 *
 * <p>Peers may put anything into the pipe. What is no name of a key, as also that of one that has gone, has all keys looked at.
 */
final class Doorbell implements Closeable {
    private static final int NAMES = 64;

    private final Pipe pipe;
    private final SelectionKey pipeKey;
    private final Bell bell;
    private final ByteBuffer drained = ByteBuffer.allocateDirect(NAMES * Bell.BYTES);

    /** The keys that have names; the lower half of a name is the place here, the upper one is another each time a place is taken. */
    private UcxSelectionKey[] named = new UcxSelectionKey[16];

    private final Deque<Integer> free = new ArrayDeque<>();
    private int used;
    private long given;
    private boolean closed;

    private Doorbell(Pipe pipe, SelectionKey pipeKey, Bell bell) {
        this.pipe = pipe;
        this.pipeKey = pipeKey;
        this.bell = bell;
    }

    /** One that the selector watches; null where there can be none, as without descriptors. */
    static Doorbell open(Selector inner) {
        Pipe pipe = null;
        try {
            pipe = inner.provider().openPipe();
            pipe.source().configureBlocking(false);
            Bell bell = Bell.of(Descriptors.of(pipe.sink()));
            return new Doorbell(pipe, pipe.source().register(inner, SelectionKey.OP_READ), bell);
        } catch (IOException | RuntimeException e) {
            Log.debug("A selector has no bell: " + e);
            close(pipe);
            return null;
        }
    }

    /** What an epoll instance is to watch, beside the selector's own. */
    int descriptor() throws IOException {
        return Descriptors.of(pipe.source());
    }

    /** As it is rung for a key; null once it is closed. */
    Bell of(UcxSelectionKey key) {
        if (key.bell == null && !closed) {
            key.bell = bell.named(name(key));
        }
        return key.bell;
    }

    private long name(UcxSelectionKey key) {
        int place = free.isEmpty() ? used++ : free.pop();
        if (place == named.length) {
            named = Arrays.copyOf(named, 2 * place);
        }
        named[place] = key;
        return ++given << Integer.SIZE | place;
    }

    /** The key has gone. */
    void forget(UcxSelectionKey key) {
        if (key.bell != null) {
            int place = (int) key.bell.name();
            named[place] = null;
            free.push(place);
            key.bell = null;
        }
    }

    /** Whether that is the key by which the inner selector tells of the bell. */
    boolean is(SelectionKey inner) {
        return pipeKey == inner;
    }

    /** Takes in what has come, and hands on the keys that it was rung for, or all. */
    void drain(SelectorCalls owner) throws IOException {
        boolean understood = true;
        int count = drained.capacity();
        while (count == drained.capacity()) {
            count = pipe.source().read(drained.clear());
            drained.flip();
            // A part of a name is left over, if at all, by a peer that has gone wrong: no other's name is in it that a
            // name before it was not spoilt by.
            while (drained.remaining() >= Bell.BYTES) {
                understood &= hand(drained.getLong(), owner);
            }
        }
        if (!understood) {
            handAll(owner);
        }
    }

    private boolean hand(long name, SelectorCalls owner) {
        int place = (int) name;
        UcxSelectionKey key = place >= 0 && place < named.length ? named[place] : null;
        if (key == null || key.bell.name() != name) {
            return false;
        }
        owner.onRung(key);
        return true;
    }

    private void handAll(SelectorCalls owner) {
        for (int i = 0; i < used; i++) {
            if (named[i] != null) {
                owner.onRung(named[i]);
            }
        }
    }

    /** Nobody hears it any more: all keys are handed on. */
    void close(SelectorCalls owner) {
        close();
        for (int i = 0; i < used; i++) {
            UcxSelectionKey key = named[i];
            if (key != null) {
                forget(key);
                owner.onRung(key);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        close(pipe);
    }

    private static void close(Pipe pipe) {
        if (pipe != null) {
            try {
                pipe.sink().close();
                pipe.source().close();
            } catch (IOException e) {
                Log.debug("A bell is left open: " + e);
            }
        }
    }
}
