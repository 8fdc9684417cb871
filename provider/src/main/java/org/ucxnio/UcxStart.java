package org.ucxnio;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.ucxnio.config.Config;
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

/** How UCX comes to run: apart from what it is then, since most processes start without. */
final class UcxStart {
    private UcxStart() {}

    /** Never fails. */
    static OverUcx start(Config config, SpinGovernor governor) {
        String unavailable = Natives.posixUnavailable();
        if (unavailable != null) {
            return OverUcx.without(unavailable);
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
            return OverUcx.without(e.getMessage());
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
}
