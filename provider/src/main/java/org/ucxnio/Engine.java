package org.ucxnio;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.ucxnio.channel.ChannelServices;
import org.ucxnio.channel.PlainConnections;
import org.ucxnio.channel.UcxServerSocketChannel;
import org.ucxnio.channel.UcxSocketChannel;
import org.ucxnio.config.Config;
import org.ucxnio.connect.Connector;
import org.ucxnio.counters.Log;
import org.ucxnio.posix.Posix;
import org.ucxnio.selector.UcxSelector;
import org.ucxnio.transport.Transport;
import org.ucxnio.ucx.UcxBackend;
import org.ucxnio.ucx.UcxLibrary;
import org.ucxnio.ucx.UcxLoadOptions;
import org.ucxnio.ucx.UcxUnavailableException;

/** What all providers of a process share: started once, at the first use. Immutable, thread-safe. */
final class Engine {
    private static final class Holder {
        static final Engine INSTANCE = start();
    }

    private final Config config;
    private final SelectorProvider platform;
    private final Posix posix;
    private final Transport transport;
    private final Connector connector;
    private final PlainConnections plainConnections = new PlainConnections();
    private final String inactiveReason;

    private Engine(Config config, SelectorProvider platform, Posix posix, Transport transport, String inactiveReason)
            throws IOException {
        this.config = config;
        this.platform = platform;
        this.posix = posix;
        this.transport = transport;
        this.connector = transport == null ? null : new Connector(transport, platform, posix);
        this.inactiveReason = inactiveReason;
    }

    static Engine instance() {
        return Holder.INSTANCE;
    }

    private static Engine start() {
        Config config = Config.fromSystemProperties();
        boolean linux = System.getProperty("os.name").equals("Linux");
        // Needed even where UCX is switched off: the way to the platform's own provider leads through it.
        Posix posix = linux ? loadPosix() : null;
        String reason = null;
        if (!config.enabled()) {
            reason = Config.ENABLED + "=false";
        } else if (!linux) {
            reason = "ucxnio runs on Linux, not on " + System.getProperty("os.name");
        } else if (java.nio.ByteOrder.nativeOrder() != java.nio.ByteOrder.LITTLE_ENDIAN) {
            reason = "ucxnio runs on little-endian machines only";
        } else if (posix == null) {
            reason = "native access needs Java 22 or later and --enable-native-access=ALL-UNNAMED (this is Java "
                    + Runtime.version().feature() + ")";
        }
        boolean exported = PlatformProvider.export(posix);
        SelectorProvider platform = PlatformProvider.find(exported);
        if (reason == null && !exported) {
            reason = "native access is denied; start the JVM with --enable-native-access=ALL-UNNAMED";
        }
        return reason == null ? startUcx(config, platform, posix) : inactive(config, platform, reason);
    }

    private static Engine startUcx(Config config, SelectorProvider platform, Posix posix) {
        try {
            UcxLibrary library = loadLibrary(config);
            Engine engine = new Engine(config, platform, posix, new Transport(config, library, posix), null);
            ReportSocket report = ReportSocket.open(platform);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> engine.exit(report), "ucxnio-exit"));
            Log.debug("ucxnio uses UCX " + library.version() + " (" + library.path() + ") through "
                    + library.backendName());
            return engine;
        } catch (UcxUnavailableException | IOException e) {
            return inactive(config, platform, e.getMessage());
        }
    }

    private void exit(ReportSocket report) {
        long deadline = System.nanoTime() + config.exitFlushNanos();
        transport.flushForExit(deadline);
        connector.flushForExit(deadline);
        transport.end();
        connector.end();
        if (report != null) {
            report.close();
        }
    }

    private static Engine inactive(Config config, SelectorProvider platform, String reason) {
        if (config.required()) {
            throw new IllegalStateException("UCX cannot be used although " + Config.REQUIRED + "=true: " + reason);
        }
        Log.warn("ucxnio is off, the platform's own channels are used: " + reason);
        try {
            return new Engine(config, platform, null, null, reason);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Posix loadPosix() {
        List<Posix> found = load(Posix.class);
        return found.isEmpty() ? null : found.get(0);
    }

    private static UcxLibrary loadLibrary(Config config) throws UcxUnavailableException {
        List<UcxBackend> backends = load(UcxBackend.class);
        backends.sort(Comparator.comparingInt(UcxBackend::priority).reversed());
        if (backends.isEmpty()) {
            throw new UcxUnavailableException("no way to call native code in this JVM");
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

    /** Implementations that can run on this JVM; those compiled for a later one do not load. */
    private static <T> List<T> load(Class<T> type) {
        List<T> found = new ArrayList<>();
        Iterator<T> candidates =
                ServiceLoader.load(type, Engine.class.getClassLoader()).iterator();
        while (true) {
            try {
                if (!candidates.hasNext()) {
                    break;
                }
                found.add(candidates.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                Log.debug("Not usable here: " + e);
            }
        }
        return found;
    }

    // -- factories ---------------------------------------------------------------------------------------------------

    boolean active() {
        return transport != null;
    }

    AbstractSelector openSelector(SelectorProvider provider) throws IOException {
        return active() ? new UcxSelector(provider, platform, transport, posix) : platform.openSelector();
    }

    SocketChannel openSocketChannel(SelectorProvider provider, ProtocolFamily family) throws IOException {
        return new UcxSocketChannel(services(provider), family);
    }

    ServerSocketChannel openServerSocketChannel(SelectorProvider provider, ProtocolFamily family) throws IOException {
        return new UcxServerSocketChannel(services(provider), family);
    }

    private ChannelServices services(SelectorProvider provider) {
        return new ChannelServices(provider, platform, connector, plainConnections);
    }

    // -- looks -------------------------------------------------------------------------------------------------------

    Config config() {
        return config;
    }

    SelectorProvider platform() {
        return platform;
    }

    Transport transport() {
        return transport;
    }

    Connector connector() {
        return connector;
    }

    PlainConnections plainConnections() {
        return plainConnections;
    }

    String inactiveReason() {
        return inactiveReason;
    }
}
