package org.ucxnio;

import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.ucxnio.config.Config;
import org.ucxnio.config.HostMode;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.Natives;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.posix.Posix;
import org.ucxnio.session.Network;
import org.ucxnio.transport.MessageCarrier;
import org.ucxnio.transport.Transport;
import org.ucxnio.ucx.UcxBackend;
import org.ucxnio.ucx.UcxLibrary;
import org.ucxnio.ucx.UcxLoadOptions;
import org.ucxnio.ucx.UcxUnavailableException;

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
    static OverUcx start(Config config, SelectorProvider platform, SpinGovernor governor) {
        if (!isWanted(config)) {
            String host = config.host().name().toLowerCase(Locale.ROOT);
            return without("no network is trusted, and " + Config.HOST + " is " + host);
        }
        String unavailable = Natives.posixUnavailable();
        if (unavailable != null) {
            return without(unavailable);
        }
        try {
            UcxLibrary library = loadLibrary(config);
            Posix posix = findPosix();
            Transport transport = new Transport(config, library, posix, governor);
            Log.debug("ucxnio uses UCX " + library.version() + " (" + library.path() + ") through "
                    + library.backendName());
            MessageCarrier carrier = new MessageCarrier(transport);
            return new OverUcx(transport, carrier, network(config, transport, carrier), posix, null);
        } catch (UcxUnavailableException | IOException e) {
            return without(e.getMessage());
        }
    }

    private static Network network(Config config, Transport transport, MessageCarrier carrier) {
        if (transport.networkUnavailable() != null) {
            return null;
        }
        return new Network(
                carrier,
                config.trust(),
                config.companionOffset(),
                config.companionTimeoutNanos(),
                config.plainMemoryNanos());
    }

    private static OverUcx without(String reason) {
        return new OverUcx(null, null, null, null, reason);
    }

    private static Posix findPosix() throws UcxUnavailableException {
        Posix posix = Natives.posix();
        if (posix == null) {
            throw new UcxUnavailableException("no way to wait for UCX in this JVM");
        }
        return posix;
    }

    private static UcxLibrary loadLibrary(Config config) throws UcxUnavailableException {
        List<UcxBackend> backends = Natives.implementations(UcxBackend.class);
        backends.removeIf(backend -> !config.ucxBackend().allows(backend.name()));
        backends.sort(Comparator.comparingInt(UcxBackend::priority).reversed());
        if (backends.isEmpty()) {
            throw new UcxUnavailableException(Config.UCX_BACKEND + "="
                    + config.ucxBackend().name().toLowerCase(Locale.ROOT) + " does not run on Java "
                    + Runtime.version().feature());
        }
        UcxUnavailableException failure = null;
        for (UcxBackend backend : backends) {
            try {
                return backend.load(new UcxLoadOptions(config.ucxPath(), config.ucxLogFile()));
            } catch (UcxUnavailableException e) {
                failure = failure == null ? e : failure;
            }
        }
        throw failure;
    }

    /** At the exit of the JVM: waits, until {@code deadlineNanos} at most, until what was written has left, and ends all threads. */
    void exit(long deadlineNanos) {
        if (transport != null) {
            transport.flushForExit(deadlineNanos);
            transport.end();
        }
    }
}
