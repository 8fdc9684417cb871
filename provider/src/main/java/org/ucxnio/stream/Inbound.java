package org.ucxnio.stream;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.ucxnio.link.Bell;
import org.ucxnio.link.Carried;
import org.ucxnio.link.Lane;
import org.ucxnio.link.Source;
import org.ucxnio.link.Tokens;

/**
 * What one end of a connection reads: from the kernel at first, from a link once the peer has switched and all it sent before was read,
 * from the kernel again once the peer has gone back and the link was read to its end.
 *
 * <p>The <em>owner</em> is the holder of the channel's read lock; methods are its, unless they say that they are for any thread. The
 * state rises from KERNEL over PAIRED and LINK to BACK, and falls from PAIRED to KERNEL where the peer takes its offer back.
 *
 * <p><b>The way back.</b> Two things tell of it: a record in the link, which is its last, and the last token in the socket, behind which
 * the stream goes on ({@link Tokens}). The state is BACK once both were met, whichever is first. The peer writes the record before it sends
 * the token, and who has received a token sees what its sender had stored: so whoever has the last one finds the record, behind what is
 * unread of the link. Whoever has the record waits for the token in the socket, which is next there but for other tokens.
 */
public final class Inbound {
    /** Whose stream it is. */
    public interface Owner {
        /** The stream has left the link for the kernel. Called by the owner of the inbound direction. */
        void wentBack();
    }

    private static final int KERNEL = 0;

    /** There is a link that the peer may switch to. */
    private static final int PAIRED = 1;

    private static final int LINK = 2;

    /** The stream comes from the kernel again, for good. */
    private static final int BACK = 3;

    /** The channel is closed, and the link is left. */
    private static final int LEFT = 4;

    private final Tokens tokens;
    private final Owner owner;

    /** Written with the monitor held; read by any. */
    private volatile int state;

    /** Written with the monitor held before the state is PAIRED; read by any. */
    private volatile Source source;

    /** Written with the monitor held. */
    private boolean urgentInline;

    // -- the owner's --
    private long kernelBytes;
    private int[] positions = new int[4];
    // -- end --

    public Inbound(Tokens tokens, Owner owner) {
        this.tokens = tokens;
        this.owner = owner;
    }

    // -- pairing: the session's thread -------------------------------------------------------------------------------

    /** From now on the peer may switch to this link; false where it is too late for one, or it has failed already. */
    public synchronized boolean pair(Lane lane, Carried connection) {
        Source made = state == KERNEL ? lane.source(connection) : null;
        if (made == null) {
            return false;
        }
        source = made;
        source.urgentInline(urgentInline);
        state = PAIRED;
        return true;
    }

    /** The peer, which has not switched, will not do so. */
    public synchronized void unpair() {
        if (state == PAIRED) {
            state = KERNEL;
        }
    }

    /**
     * The link has failed, and the peer will not be heard of any more: the stream stays with the kernel, unless it is known to have left it.
     *
     * @return whether it stays. Any thread.
     */
    public synchronized boolean stayInKernel() {
        if (state == PAIRED && source.switchedAt() < 0) {
            state = KERNEL;
            source.leave(false);
        }
        return state == KERNEL;
    }

    /** Whether the bytes come from a link now. Any thread. */
    public boolean isLinked() {
        return state == LINK;
    }

    /**
     * The channel is about to be closed: takes no link any more, if there is none.
     *
     * @return whether tokens may come over TCP
     */
    public synchronized boolean refuseLink() {
        leavePlain();
        return state != LEFT && state != BACK;
    }

    /**
     * As {@link #leave}, where there has never been a link.
     *
     * @return whether there has been none. Any thread.
     */
    public synchronized boolean leavePlain() {
        if (state != KERNEL) {
            return false;
        }
        state = LEFT;
        return true;
    }

    /** Behind {@link #refuseLink}: whether the token that tells of the peer's switch is under way. */
    public synchronized boolean awaitsToken() {
        return (state == PAIRED || state == LINK) && !tokens.haveCome() && source.refuseSwitch();
    }

    /** Whether urgent bytes are read like others. Any thread. */
    public synchronized void urgentInline(boolean inline) {
        urgentInline = inline;
        if (source != null) {
            source.urgentInline(inline);
        }
    }

    // -- from the kernel ---------------------------------------------------------------------------------------------

    /** Whether there is nothing but the kernel to read from: the peer cannot have switched. */
    public boolean isKernelAlone() {
        return state == KERNEL;
    }

    /**
     * Behind a read that began where {@link #isKernelAlone}: the peer switches only once this end was paired, so where it is not, all that
     * came is the stream's.
     *
     * @return false where it was paired meanwhile: {@link #beganAt} and {@link #tookFromKernel} follow
     */
    public boolean tookAlone(int count) {
        if (state != KERNEL) {
            return false;
        }
        kernelBytes += count;
        return true;
    }

    /** As {@link #beforeKernel}, for one buffer behind the read. */
    public void beganAt(int position) {
        positions[0] = position;
    }

    /** Before a read from the kernel: takes note of where the buffers stand. */
    public void beforeKernel(ByteBuffer[] targets, int offset, int length) {
        if (positions.length < length) {
            positions = new int[length];
        }
        for (int i = 0; i < length; i++) {
            positions[i] = targets[offset + i].position();
        }
    }

    /**
     * Where everything that came before the peer's switch was read, goes over to the link.
     *
     * @return whether the bytes come from the link now
     */
    public boolean reachSwitch() {
        return state == LINK || state == PAIRED && kernelBytes == switchedAt() && enter();
    }

    /** The socket has ended: a switch that the peer made before is known on return. */
    public void catchUp() {
        if (state == PAIRED) {
            source.catchUp();
        }
    }

    /** The peer's switch, -1 where there is none yet. */
    private long switchedAt() {
        long position = source.switchedAt();
        // What was taken back may be another connection's by now.
        return state == PAIRED ? position : -1;
    }

    private synchronized boolean enter() {
        if (state == PAIRED) {
            state = LINK;
            source.enter();
        }
        return state == LINK;
    }

    /**
     * Behind a read from the kernel: takes back what were no bytes of the stream, and goes over to the link where that is due.
     *
     * @param count bytes read, more than 0
     * @return how many of them are the application's
     */
    public long tookFromKernel(long count, ByteBuffer[] targets, int offset, int length) {
        long switched = state == PAIRED ? switchedAt() : -1;
        long kept = switched < 0 ? count : Math.max(0, Math.min(count, switched - kernelBytes));
        if (kept < count) {
            takeBack(kept, targets, offset, length);
        }
        kernelBytes += kept;
        if (kernelBytes == switched) {
            enter();
        }
        return kept;
    }

    /** Behind the switch the socket has tokens, and behind the last of them what the peer sent after it has gone back. */
    private void takeBack(long kept, ByteBuffer[] targets, int offset, int length) {
        long before = kept;
        for (int i = 0; i < length; i++) {
            ByteBuffer target = targets[offset + i];
            int came = target.position() - positions[i];
            int stays = (int) Math.min(before, came);
            before -= stays;
            if (stays < came) {
                int from = positions[i] + stays;
                tokens.take(target.slice(from, came - stays));
                target.position(from);
            }
        }
    }

    // -- from the link -----------------------------------------------------------------------------------------------

    /** As {@link Source#read}; 0 also where the stream has left the link, which {@link #isLinked} tells. */
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        long count = source.read(targets, offset, length);
        return count == 0 && (tokens.isLast() || source.isBack()) ? readLast(targets, offset, length) : count;
    }

    /** As {@link Source#readAtOnce}; 0 also where there is no link. */
    public int readAtOnce(ByteBuffer target) throws IOException {
        return state == LINK ? source.readAtOnce(target) : 0;
    }

    private long readLast(ByteBuffer[] targets, int offset, int length) throws IOException {
        // What is there by now was written before the token that has come.
        long count = source.read(targets, offset, length);
        if (count != 0 || reachBack()) {
            return count;
        }
        if (tokens.isLast()) {
            // No honest peer sends it without having said so.
            throw new SocketException("Connection reset");
        }
        return tokens.isEnded() && source.isEndedBack() ? -1 : 0;
    }

    /** Goes back to the kernel where that is due. */
    private boolean reachBack() {
        if (!source.isBack()) {
            return false;
        }
        tokens.takeIn();
        if (!tokens.isLast()) {
            return false;
        }
        synchronized (this) {
            state = BACK;
            source.goneBack();
        }
        owner.wentBack();
        return true;
    }

    /** Whether the peer has said that it goes back, and its last token has not come. */
    public boolean awaitsLast() {
        return source.isBack() && !tokens.isLast();
    }

    /** Whether the stream has left the link for the kernel. Any thread. */
    public boolean isBack() {
        return state == BACK;
    }

    /** Whether there are bytes of a stream that has gone back which do not come from the kernel any more. Any thread. */
    public boolean hasBehindLast() {
        return state == BACK && tokens.behindLast() > 0;
    }

    /** As {@link Tokens#readBehind}, where {@link #hasBehindLast}. */
    public int readBehindLast(ByteBuffer[] targets, int offset, int length) {
        return tokens.readBehind(targets, offset, length);
    }

    /** As {@link Source#isReadable}. Any thread. */
    public boolean isReadable() {
        return source.isReadable();
    }

    /** As {@link Source#isAtEnd}. Any thread. */
    public boolean isAtEnd() {
        return source.isAtEnd();
    }

    /** As {@link Source#isStale}. Any thread. */
    public boolean isStale() {
        return source.isStale() || tokens.isLast() && source.isBack();
    }

    /** As {@link Source#update}; goes back to the kernel where that is due. */
    public void update() throws IOException {
        if (state == LINK) {
            source.update();
            reachBack();
        }
    }

    /** As {@link Source#hasSomething}. Any thread. */
    public boolean hasSomething() {
        return source.hasSomething();
    }

    /** The peer has gone, and nothing more comes from it. Any thread. */
    public boolean isPeerGone() {
        return tokens.isEnded() && source.isOver();
    }

    /** Where {@link #isPeerGone}: as {@link Source#hasExited}. */
    public boolean hasExited() {
        return source.hasExited();
    }

    /** As {@link Source#announces}. Any thread. */
    public boolean announces() {
        return source.announces();
    }

    /** Bytes that can be read at once from the link. */
    public int available() {
        return source.available();
    }

    /**
     * Bytes that can be read at once while the kernel has some of them.
     *
     * @param inKernel bytes that the kernel has, tokens among them
     */
    public int availableBehind(int inKernel) {
        if (state == BACK) {
            return tokens.behindLast() + inKernel;
        }
        long switched = state == PAIRED ? switchedAt() : -1;
        if (switched < 0 || kernelBytes + inKernel < switched) {
            return inKernel;
        }
        return (int) (switched - kernelBytes) + source.available();
    }

    // -- sleeping ----------------------------------------------------------------------------------------------------

    /** As {@link Source#canSleep}. */
    public boolean canSleep(boolean virtualThread) {
        return source.canSleep(virtualThread);
    }

    /** As {@link Source#isSessionAlive}. */
    public boolean isSessionAlive() {
        return source.isSessionAlive();
    }

    /** As {@link Source#arm(int)}. */
    public boolean arm(int how) {
        return source.arm(how);
    }

    /** As {@link Source#arm(Bell)}. */
    public boolean arm(Bell bell) {
        return source.arm(bell);
    }

    /** As {@link Source#sleep}. */
    public void sleep(long nanos) {
        source.sleep(nanos);
    }

    public void disarm() {
        if (state == LINK) {
            source.disarm();
        }
    }

    /** Wakes a reader that may sleep on the link: it has to look at something else. Any thread; with the monitor held it is ours still. */
    public synchronized void wakeReader() {
        if (state == LINK) {
            source.wake();
        }
    }

    // -- the end -----------------------------------------------------------------------------------------------------

    /**
     * Whether bytes would be lost if nobody read any more. Any thread: a racy look.
     *
     * @param inKernel bytes that the kernel has, asked for before this: a token among them was sent behind the switch, which shows by now
     */
    public boolean hasUnread(int inKernel) {
        if (state == BACK) {
            return inKernel > 0 || tokens.behindLast() > 0;
        }
        long switched = state == PAIRED ? switchedAt() : -1;
        if (state != LINK && (switched < 0 || kernelBytes < switched)) {
            return inKernel > 0;
        }
        return source.hasUnread() || tokens.behindLast() > 0;
    }

    /**
     * The channel is closed: leaves the link to its writer. The owner, or a thread that knows that there will be none any more.
     *
     * @param abort whether the writer has to hear of it as of a reset, whatever was read
     */
    public synchronized void leave(boolean abort) {
        boolean isPaired = state == PAIRED || state == LINK;
        state = LEFT;
        if (isPaired) {
            source.leave(abort);
        }
    }
}
