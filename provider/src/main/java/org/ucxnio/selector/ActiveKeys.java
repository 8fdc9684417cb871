package org.ucxnio.selector;

import java.util.Arrays;
import org.ucxnio.jdk.LateErrors;
import org.ucxnio.link.Bell;
import org.ucxnio.link.Bells;

/**
 * The keys of our channels that every round of a selection looks at: those that were ready at the last look, and those whose rings
 * were ready not long ago ("hot"). A ring tells nobody that bytes have come unless its channel is armed, so a hot key is looked at
 * until it has cooled down, and leaves armed. Any other key leaves once it is not ready; the channel signals the next change, which
 * queues the key anew.
 *
 * <p>A look in vain costs a few nanoseconds, a wake-up by a byte over the kernel channel some microseconds in both processes. So a key
 * cools down after about as many looks as one wake-up costs; a sleep in vain, with its arming and disarming, counts as many looks.
 *
 * <p>Owned by the selecting thread.
 */
final class ActiveKeys {
    /** Looks in vain, in rounds without spinning, after which a key is cold. */
    static final int COLD_LOOKS = 1024;

    /** How many looks a sleep counts: a key is cold after eight sleeps. */
    private static final int LOOKS_PER_SLEEP = COLD_LOOKS / 8;

    private UcxSelectionKey[] keys = new UcxSelectionKey[16];
    private int count;

    /** Keys that the last look left here to wait for their rings. */
    private int hot;

    /** Looks so far, sleeps counted as looks; wraps around. */
    private int looks;

    /** That of the selector, as the last sleep had it; null where tokens wake it. */
    private Doorbell doorbell;

    /** Keys that are armed for it, here or not. */
    private int armedForBell;

    /** Keys that are armed, here or not. */
    private int armed;

    /** Whether keys were added behind the last look. */
    private boolean hasNew;

    /** Adds a key, unless it is here already; either way it is hot. */
    void add(UcxSelectionKey key) {
        hasNew = true;
        key.lastReady = looks;
        if (key.activeIndex >= 0) {
            return;
        }
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, count * 2);
        }
        key.activeIndex = count;
        keys[count++] = key;
    }

    /** Takes a key away for good, which may be here or not. */
    void remove(UcxSelectionKey key) {
        int index = key.activeIndex;
        if (index >= 0) {
            UcxSelectionKey last = keys[--count];
            keys[count] = null;
            if (index < count) {
                keys[index] = last;
                last.activeIndex = index;
            }
            key.activeIndex = -1;
        }
        if (count == 0) {
            hot = 0;
            hasNew = false;
        }
        disarm(key);
    }

    int size() {
        return count;
    }

    /** Whether keys were added behind the last look, which may be ready. */
    boolean hasNew() {
        return hasNew;
    }

    /** Whether rings were not ready at the last look that may be so at any moment. */
    boolean waitForRings() {
        return hot > 0;
    }

    /** Whether rings may be ready, behind a look, that were not looked at: the kernel would tell. */
    boolean leaveSomeToTheKernel() {
        return armed > 0;
    }

    /** At the beginning of a selection. A key that is not here has had no change since its interest was put in force. */
    void putInterestsInForce() {
        for (int i = 0; i < count; i++) {
            keys[i].putInterestInForce();
        }
    }

    /**
     * Looks at all keys.
     *
     * @param spinning whether the thread has nothing better to do: such looks cool nothing down
     */
    void look(Findings found, boolean spinning) {
        if (!spinning) {
            looks++;
        }
        hot = 0;
        hasNew = false;
        int all = count;
        if (all == 0) {
            return;
        }
        int kept = 0;
        int i = 0;
        try {
            for (; i < all; i++) {
                UcxSelectionKey key = keys[i];
                if (stays(key, found)) {
                    kept = keep(key, kept);
                } else {
                    key.activeIndex = -1;
                }
            }
            LateErrors.surfaceUnlessPolled();
        } finally {
            // Something was thrown, where some are left.
            for (; i < all; i++) {
                kept = keep(keys[i], kept);
            }
            Arrays.fill(keys, kept, all, null);
            count = kept;
        }
    }

    /** Finds keys that are ready, and those whose memory has gone. */
    void lookOneByOne(Findings found) {
        for (int i = 0; i < count; i++) {
            UcxSelectionKey key = keys[i];
            int interest = key.interestInForce();
            if (interest != 0) {
                found.add(key, key.transport.transportReadyOpsAlone(interest));
            }
        }
    }

    private int keep(UcxSelectionKey key, int index) {
        key.activeIndex = index;
        keys[index] = key;
        return index + 1;
    }

    private boolean stays(UcxSelectionKey key, Findings found) {
        if (!key.isValid()) {
            return false;
        }
        TransportChannel channel = key.transport;
        int interest = key.interestInForce();
        if (interest != 0 && found.add(key, channel.transportReadyOps(interest))) {
            key.lastReady = looks;
            disarm(key);
            return true;
        }
        int ringOps = channel.ringOps() & interest;
        if (ringOps == 0) {
            disarm(key);
            found.forgetConnectable(key);
            // The next selection has to put it in force.
            return key.hasNewInterest();
        }
        // Armed before the last sleep, it stays so: its ring has not become ready since, or what tells of it is on its
        // way.
        if (isCold(key) && (key.armedOps != 0 || arm(key, ringOps)) && !key.hasNewInterest()) {
            return false;
        }
        disarm(key);
        hot++;
        return true;
    }

    private boolean isCold(UcxSelectionKey key) {
        return looks - key.lastReady >= COLD_LOOKS;
    }

    /**
     * Before a sleep: arms every key that waits for a ring; the next look disarms it again.
     *
     * @param bell that of the selector; null where tokens wake it
     * @return whether no ring is ready, of keys that were looked at; otherwise there is no reason to sleep
     */
    boolean arm(Doorbell bell) {
        if (hasNew) {
            return false;
        }
        doorbell = bell;
        if (hot == 0) {
            return true;
        }
        for (int i = 0; i < count; i++) {
            UcxSelectionKey key = keys[i];
            int ringOps = key.isValid() ? key.transport.ringOps() & key.interestInForce() : 0;
            if (ringOps != 0 && !arm(key, ringOps)) {
                return false;
            }
        }
        looks += LOOKS_PER_SLEEP;
        return true;
    }

    /** A key with another interest than it was armed for was queued, so that it is hot and the last look has disarmed it. */
    private boolean arm(UcxSelectionKey key, int ops) {
        if (key.armedOps == 0) {
            armed++;
        }
        key.armedOps = ops;
        Bell bell = doorbell == null || armedForBell >= Bells.MOST_ASKED ? null : doorbell.of(key);
        if (bell != null && !key.armedForBell) {
            key.armedForBell = true;
            armedForBell++;
        }
        if (key.transport.arm(ops, bell)) {
            return true;
        }
        // A key that a later look takes for armed would sleep for ever.
        disarm(key);
        return false;
    }

    private void disarm(UcxSelectionKey key) {
        if (key.armedOps != 0) {
            key.armedOps = 0;
            armed--;
            if (key.armedForBell) {
                key.armedForBell = false;
                armedForBell--;
            }
            key.transport.disarm();
        }
    }
}
