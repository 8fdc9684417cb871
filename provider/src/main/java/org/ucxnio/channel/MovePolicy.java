package org.ucxnio.channel;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.ucxnio.config.Config;
import org.ucxnio.loop.CompilerThread;
import org.ucxnio.loop.ProcessorLimit;
import org.ucxnio.loop.ProcessorTime;
import org.ucxnio.loop.RingUse;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.session.Pace;

/**
 * When a connection is worth being moved off TCP: one for a process, thread-safe.
 *
 * <p>What is gained by moving is the kernel's part in carrying bytes, and in waking a thread that could run at once. Where more threads want
 * to run than there are processors, threads wait for processors, and the second part of it is little. What is left pays in rings, where threads
 * that wait for each other come to run by turns. Over UCX messages there is something to lose, and connections stay on a crowded machine.
 *
 * <p>There is a price as well: threads of the JVM compile the code that carries bytes past the kernel, for a second or two of processor time in a
 * process, and until then that code is slow: some thousand calls are. With a processor free, for this process too ({@link ProcessorLimit}), nobody
 * misses the time of the compiler, and programs that have just started have slow calls of their own. A process that is idle most of the time
 * ({@link #IDLER_PERCENT}) would have slow calls for seconds, and less to gain: it stays with TCP until it has called {@link #RIPE_CALLS} times,
 * and for good where it calls seldom ({@link #SELDOM_CALLS}). One whose messages are far apart ({@link #RESTING_PERCENT}) has so little to gain
 * that it stays unless two processors are free besides.
 * Where the processors are busy the time of the compiler comes back from what the kernel does not do any more, as long as the process lives, which
 * nobody knows. So there a process moves its first connections when the kernel has taken about as much as moving costs ({@link #RIPE_NANOS}), as one
 * buys skis once the hired ones have cost as much: whenever the process ends, it has not lost more by the move than the kernel took before. What the
 * kernel took may be the waking of the process's own threads, which a move does not save. So the process has to have used its connections often as
 * well: {@link #RIPE_CALLS} where a thread could run at once, and {@link #CROWD_RIPE_CALLS} in a crowd, where a call has less to gain. Half of all
 * that is enough for a process that does next to nothing between its calls ({@link #CHEAP_CALL_NANOS}): it has several times the rate behind the
 * move, and has made up for it in a fraction of a second. One that does much ({@link #DEAR_CALL_NANOS}) would hardly see what they save, and stays.
 * A process waits too until the JVM has compiled the program's own code, for some time: in the compiler's queue what a move needs and what the program needs
 * would be in each other's way, and both are slow until they are compiled. Connections that carry bulk wait for half of the kernel's time alone
 * ({@link #BULK_RIPE_NANOS}). The price is paid once: where connections have moved before, at a moment with a processor free, and have been used
 * ({@link RingUse}), those that come later wait for nothing.
 */
public class MovePolicy {
    /** Calls that carry as much on average carry bulk. */
    static final int BULK_BYTES = 16 << 10;

    /** A connection is asked for once in so many calls that moved bytes. */
    static final int ASK_USES = 16;

    private static final String CROWDED = "more threads want to run than there are processors";
    private static final String IDLER = "this process is idle most of the time";
    private static final String RESTS = "messages of this process are far apart";
    private static final String BUSY = "the processors are busy, and the kernel has had little to do for this process";
    private static final String OWN_WORK =
            "the processors are busy, and what this process does between its calls outweighs them";

    /** Calls that moved bytes before a connection is worth it, where nobody says otherwise. */
    private static final int USES = 128;

    /**
     * A calm moment counts for so long. Otherwise some connections of a selector would move and others would not, where calm moments are
     * shorter than the time between two of its looks, and it would do the work for rings and that for sockets.
     */
    static final long CALM_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Processor time that the kernel has taken for this process before it leaves TCP on busy processors. */
    static final long RIPE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /**
     * Calls that moved bytes over TCP in this process before it leaves TCP on busy processors. A move costs both processes together about 2.5 s of
     * processor time there, and saves them about 8 us of waiting for each call at either end.
     */
    static final int RIPE_CALLS = 150_000;

    /**
     * The same on a crowded machine: a move costs each process a second of processor time or a little more, and saves a call some 3 us of it where threads
     * come to run by turns, and less where they do not. A program that calls 10,000 times a second waits for 40 s.
     */
    static final int CROWD_RIPE_CALLS = 400_000;

    /**
     * Processor time that the whole process uses for each of its calls: where that is more, and no processor free, there is little to gain. Clients of
     * gRPC with 4, 8 and 16 threads use 28, 35 and 60 us, and have 1.15, 1.07 and 1.00 times the rate in rings, behind some seconds at 0.6 of it.
     * Jetty's clients use 6 us and have 1.5 times the rate.
     */
    static final long DEAR_CALL_NANOS = TimeUnit.MICROSECONDS.toNanos(30);

    /**
     * Processor time that the whole process uses for each of its calls: where that is less, half of {@link #RIPE_NANOS} and of the calls is enough. Threads that
     * send back what comes use 4 us, and have four times the rate behind the move; with 20 us of work on each message they use 15 us and have 1.25 times the
     * rate, so that it takes them seconds to make up for a second at half of it.
     */
    static final long CHEAP_CALL_NANOS = TimeUnit.MICROSECONDS.toNanos(8);

    /**
     * As {@link #RIPE_NANOS} for bulk, crowd or not. A call has much to carry there, most of it by instructions that are compiled already, so that less is
     * lost until the rest is; and what TCP costs is the carrying more than the waking.
     */
    static final long BULK_RIPE_NANOS = RIPE_NANOS / 2;

    /**
     * Percents of the time of one processor: a process that uses less of it has nothing to gain by a move soon, as it sleeps most of the time and is
     * woken whatever carries the bytes. Where two selectors sleep 2 ms between a message and the next, a round trip takes 100 us in place of 15 for the first
     * second or two behind a move, and then 0.7 of its median on TCP and twice its p90.
     */
    static final int IDLER_PERCENT = 25;

    /**
     * Calls that move bytes over TCP in a second, all connections of the process together: one that uses little processor time and calls as often may have a
     * peer that is busy, and moves once it has called {@link #RIPE_CALLS} times.
     */
    static final int SELDOM_CALLS = 2_000;

    /**
     * Of the calls of a process, in percents: where so many are of connections that rest between an answer and the next message, most of the time,
     * messages are far apart. The clock has them leave, or what is done between them, and threads of both ends have fallen asleep by then: rings save them
     * nothing. Programs that wait for their answers (threads, Netty, gRPC, ZooKeeper, Jetty, Kafka, BookKeeper) have 0 to 40 of these, half in a cold JVM's
     * worst fifth of a second; those that send 10,000 messages a second by the clock, over 4 connections, 85 to 100, and cold 65.
     */
    static final int RESTING_PERCENT = 60;

    /**
     * Percents of the time of one processor: where as much is left the compilers of both processes run beside them, and nobody waits for a processor. With
     * one free, a program that sends 10,000 messages a second by the clock has some of a tenth of a second behind a move, whenever that is.
     */
    static final int AMPLE_PERCENT = 200;

    /** Half of the least that is enough. The compiler is not looked at before, and so not in programs that are over soon. */
    static final long WATCH_NANOS = RIPE_NANOS / 4;

    /** It has to be so many times as much while the JVM compiles. */
    static final int RIPE_ANYHOW = 4;

    /** The JVM compiles where its compiler has wanted a processor for more than this part of the time. */
    static final int COMPILING_PART = 4;

    /** For so long it has to have wanted less. */
    static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Percents of the time of one processor: there is one free where as much is left at some looks one behind the other. Programs of many threads
     * that wait for each other leave a third of one, half of one at times, and miss that.
     */
    static final int SPARE_PERCENT = 50;

    static final int SPARE_LOOKS = 2;

    /** Time between two looks at that: the kernel counts in hundredths of a second. */
    static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The same in an idle process. A look takes a call of it a third of a millisecond, while its code is cold, and more often it would show in the p99. */
    static final long IDLER_LOOK_NANOS = 5 * LOOK_NANOS;

    /** Who waits for the bytes of a connection. */
    public enum Waiter {
        SELECTOR,
        PLATFORM_THREAD,
        VIRTUAL_THREAD
    }

    /** What the machine is like. */
    interface Machine {
        /** Whether more threads want to run than there are processors. Asked now and then to find that out. */
        boolean isCrowded();

        /** Processor time in nanoseconds that nobody has used; negative where nobody knows. */
        long idleNanos();

        /** Processor time that this process may use, in percents of one processor's, or {@link ProcessorLimit#NONE}. */
        long limitPercent();

        /** Processor time that this process has used. */
        ProcessorTime.OfProcess process();

        /** Time in nanoseconds that the JVM's compiler has run or waited for a processor; negative where nobody knows. */
        long compilerNanos();

        /** Whether the code of rings is compiled. */
        boolean hasUsedRings();
    }

    /** No lambdas: the first ones of a process cost it milliseconds, and this is made in its start. */
    private record ThisMachine(SpinGovernor governor) implements Machine {
        @Override
        public boolean isCrowded() {
            return governor.isCrowdedLately(System.nanoTime());
        }

        @Override
        public long idleNanos() {
            return ProcessorTime.idle();
        }

        @Override
        public long limitPercent() {
            return ProcessorLimit.percent();
        }

        @Override
        public ProcessorTime.OfProcess process() {
            return ProcessorTime.ofThisProcess();
        }

        @Override
        public long compilerNanos() {
            return CompilerThread.wantedNanos();
        }

        @Override
        public boolean hasUsedRings() {
            return RingUse.isCompiled();
        }
    }

    private final boolean fixed;
    private final int uses;
    private final boolean gainsInCrowd;
    private final Machine machine;

    /** Until when connections move, whatever is found meanwhile: once {@link #wasCalm}. */
    private volatile long calmUntil;

    private volatile boolean wasCalm;

    /** The answers of the last look: where there is no crowd, two, where there is, and for bulk. */
    private volatile boolean affordable;

    /** Why there is little to gain for a process that waits for little; null where that is not so. */
    private volatile String idler;

    private volatile Pace pace = Pace.AT_ONCE;

    private volatile boolean dear;

    private volatile boolean ripeForCrowd;

    private volatile boolean ripeForBulk;

    /** Calls over TCP, in steps of {@link #ASK_USES}. */
    private final LongAdder calls = new LongAdder();

    /** Those of them that were of connections that rest most of the time. */
    private final LongAdder resting = new LongAdder();

    private final AtomicBoolean looking = new AtomicBoolean();

    // -- owned by the thread that has set looking --

    private boolean looked;
    private long lookedAt;
    private long idleThen;
    private long processThen;

    /** Found out in the first look. */
    private long limitPercent;

    private long calledThen;
    private long restingThen;
    private final CallCost cost = new CallCost();

    /** One behind the other. */
    private int spareLooks;

    /** Whether the compiler was looked at. */
    private boolean watched;

    private long compilerThen;

    /** When the JVM was last found to compile. */
    private long compiledAt;

    // -- end --

    /**
     * @param switchAfter calls that moved bytes, whatever the machine is like, or {@link Config#AUTO}
     * @param gainsInCrowd whether a move gains something on a crowded machine
     */
    public MovePolicy(int switchAfter, boolean gainsInCrowd, SpinGovernor governor) {
        this(switchAfter, gainsInCrowd, new ThisMachine(governor));
    }

    MovePolicy(int switchAfter, boolean gainsInCrowd, Machine machine) {
        this.fixed = switchAfter != Config.AUTO;
        this.uses = fixed ? switchAfter : USES;
        this.gainsInCrowd = gainsInCrowd;
        this.machine = machine;
    }

    /** Whether somebody says when connections move: then nothing has to be found out. */
    boolean isFixed() {
        return fixed;
    }

    /** Whether a connection is worth it before it was used at all. */
    boolean atOnce() {
        return uses == 0;
    }

    /**
     * Whether it is to be asked, for a connection that was used so often, if it is to be moved. To be called for each use.
     *
     * @param rests whether the connection has nothing under way most of the time
     */
    boolean isDue(int used, boolean rests) {
        if (fixed) {
            return used == uses;
        }
        if (used % ASK_USES != 0) {
            return false;
        }
        calls.add(ASK_USES);
        if (rests) {
            resting.add(ASK_USES);
        }
        if (idler == null) {
            machine.isCrowded();
        }
        return used >= uses;
    }

    /**
     * Why a connection is not to be moved now, or null where it is.
     *
     * @param waiter who waits for its bytes
     * @param bytesOfCall what its calls have carried on average
     */
    String refusal(Waiter waiter, long bytesOfCall) {
        if (fixed || wasCalm && nanos() - calmUntil < 0) {
            return null;
        }
        lookUnlessAnotherDoes();
        if (ripeForBulk && bytesOfCall >= BULK_BYTES && gainsInCrowd) {
            return null;
        }
        String reason = idler;
        if (reason != null) {
            return reason;
        }
        if (machine.isCrowded()) {
            return gainsInCrowd && isRipeInCrowd(waiter) ? null : CROWDED;
        }
        if (!affordable) {
            return dear ? OWN_WORK : BUSY;
        }
        calmUntil = nanos() + CALM_NANOS;
        wasCalm = true;
        return null;
    }

    /**
     * How fast connections move to a peer's process for which this one has moved none. Where processors are busy they have waited for long, and move
     * at once: threads that wait for each other gain by rings that they all have.
     */
    Pace pace() {
        return fixed || machine.hasUsedRings() ? Pace.AT_ONCE : pace;
    }

    /** A virtual thread gains as much there as on busy processors: it waits while the others of its carrier run. */
    private boolean isRipeInCrowd(Waiter waiter) {
        return waiter == Waiter.VIRTUAL_THREAD ? affordable : ripeForCrowd;
    }

    /** Nobody waits for another thread's look: until it is done what was found before is so. */
    private void lookUnlessAnotherDoes() {
        if (looking.compareAndSet(false, true)) {
            try {
                look(nanos());
            } finally {
                looking.set(false);
            }
        }
    }

    private void look(long now) {
        long since = now - lookedAt;
        if (looked && since < (idler != null ? IDLER_LOOK_NANOS : LOOK_NANOS)) {
            return;
        }
        if (!looked) {
            limitPercent = machine.limitPercent();
        }
        long idle = machine.idleNanos();
        ProcessorTime.OfProcess process = machine.process();
        long all = process.allNanos();
        long kernel = process.kernelNanos();
        long called = calls.sum();
        long rested = resting.sum();
        boolean rests = rested - restingThen > (called - calledThen) * RESTING_PERCENT / 100;
        boolean idles = looked && isIdle(all, since);
        boolean waits = !idles && !rests;
        boolean gains = waits || hasCalledOften(called, since);
        int enough = rests ? AMPLE_PERCENT : SPARE_PERCENT;
        // What an idle process leaves free says nothing about one with work: a moment's crowd must not have it move.
        long left = Math.min(idle - idleThen, leftOfLimit(since, all - processThen));
        spareLooks = looked && gains && left >= since * enough / 100 ? spareLooks + 1 : 0;
        boolean spare = spareLooks >= SPARE_LOOKS;
        boolean paid = machine.hasUsedRings();
        boolean settled = kernel >= WATCH_NANOS && isSettled(now, since);
        // Who waits for a processor is no idler. Who rests does not wait for one.
        boolean stays = !paid && (rests ? !spare : !gains && !machine.isCrowded());
        String why = idles ? IDLER : RESTS;
        idler = stays ? why : null;
        cost.add(all - processThen, called - calledThen);
        dear = cost.isAbove(DEAR_CALL_NANOS);
        int part = cost.isAbove(CHEAP_CALL_NANOS) ? 1 : 2;
        boolean ripe = !dear && kernel >= (settled ? RIPE_NANOS : RIPE_ANYHOW * RIPE_NANOS) / part;
        affordable = spare || paid || ripe && called >= RIPE_CALLS / part || idle < 0 || kernel < 0;
        ripeForBulk = paid || kernel >= BULK_RIPE_NANOS;
        ripeForCrowd = paid || ripe && called >= CROWD_RIPE_CALLS / part;
        Pace withWork = spare ? Pace.STEADILY : Pace.AT_ONCE;
        pace = waits ? withWork : Pace.SLOWLY;
        looked = true;
        lookedAt = now;
        idleThen = idle;
        processThen = all;
        calledThen = called;
        restingThen = rested;
    }

    /** A free processor is for nobody who may use no more of it. */
    private long leftOfLimit(long since, long used) {
        return limitPercent == ProcessorLimit.NONE ? Long.MAX_VALUE : since / 100 * limitPercent - used;
    }

    private boolean isIdle(long processNanos, long since) {
        return processNanos >= 0 && processNanos - processThen < since * IDLER_PERCENT / 100;
    }

    private boolean hasCalledOften(long called, long since) {
        long often = SELDOM_CALLS * TimeUnit.NANOSECONDS.toMillis(since) / 1000;
        return called >= RIPE_CALLS && called - calledThen >= often;
    }

    private boolean isSettled(long now, long since) {
        long compiler = machine.compilerNanos();
        if (!watched || compiler - compilerThen > since / COMPILING_PART) {
            compiledAt = now;
        }
        watched = true;
        compilerThen = compiler;
        return compiler < 0 || now - compiledAt >= SETTLED_NANOS;
    }

    /** The clock. */
    long nanos() {
        return System.nanoTime();
    }
}
