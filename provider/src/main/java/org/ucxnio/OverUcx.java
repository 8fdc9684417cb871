package org.ucxnio;

import java.util.Locale;
import org.ucxnio.config.Config;
import org.ucxnio.config.HostMode;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.posix.Posix;
import org.ucxnio.session.Network;
import org.ucxnio.transport.MessageCarrier;
import org.ucxnio.transport.Transport;

/**
 * What carries connections over UCX. Immutable, thread-safe.
 *
 * @param transport null where UCX is not in use
 * @param carrier null where UCX is not in use
 * @param network the hosts that are reached; null where there are none
 * @param posix null where UCX is not in use
 * @param unavailable why UCX is not in use, or null where it is
 */
record OverUcx(Transport transport, MessageCarrier carrier, Network network, Posix posix, String unavailable) {

    /** Whether the configuration has any use for UCX: libucx and its threads cost time and memory. */
    static boolean isWanted(Config config) {
        return config.host() == HostMode.UCX || !config.trust().isEmpty();
    }

    /** Starts UCX where it is wanted; never fails. */
    static OverUcx start(Config config, SpinGovernor governor) {
        if (!isWanted(config)) {
            String host = config.host().name().toLowerCase(Locale.ROOT);
            return without("no network is trusted, and " + Config.HOST + " is " + host);
        }
        return UcxStart.start(config, governor);
    }

    static OverUcx without(String reason) {
        return new OverUcx(null, null, null, null, reason);
    }

    /** At the exit of the JVM: waits, until {@code deadlineNanos} at most, until what was written has left, and ends all threads. */
    void exit(long deadlineNanos) {
        if (transport != null) {
            transport.flushForExit(deadlineNanos);
            transport.end();
        }
    }
}
