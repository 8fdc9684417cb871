package org.ucxnio;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import org.ucxnio.channel.ChannelServices;
import org.ucxnio.channel.MovePolicy;
import org.ucxnio.channel.MovingNeeds;
import org.ucxnio.channel.PlainConnections;
import org.ucxnio.channel.UcxServerSocketChannel;
import org.ucxnio.channel.UcxSocketChannel;
import org.ucxnio.config.Config;
import org.ucxnio.config.ConfigException;
import org.ucxnio.config.HostMode;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.Natives;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.selector.UcxSelector;
import org.ucxnio.session.Pairings;
import org.ucxnio.transport.Transport;

/**
 * What all providers of a process share: started once, at the first use. Loads nothing native unless UCX is wanted, or acceleration is
 * required. Thread-safe.
 */
final class Engine {
    private static final class Holder {
        static final Engine INSTANCE = start();
    }

    private static final String NOT_USED = "not used enough to leave TCP";

    private final Config config;
    private final SelectorProvider platform;
    private final SpinGovernor governor;
    private final MovePolicy policy;
    private final OverUcx ucx;

    /** Null where no connection moves off TCP. */
    private final LazyHost host;

    private final PlainConnections plainConnections = new PlainConnections();
    private final String inactiveReason;

    /** Those of the provider that was called last. */
    private volatile ChannelServices services;

    private Engine(
            Config config, SelectorProvider platform, SpinGovernor governor, OverUcx ucx, String inactiveReason) {
        this.config = config;
        this.platform = platform;
        this.governor = governor;
        this.policy = new MovePolicy(config.switchAfter(), config.host() == HostMode.RINGS, governor);
        this.ucx = ucx;
        this.host = inactiveReason == null ? LazyHost.of(config, platform, ucx) : null;
        this.inactiveReason = inactiveReason;
    }

    static Engine instance() {
        return Holder.INSTANCE;
    }

    private static Engine start() {
        Log.load();
        try {
            return tryStart();
        } catch (ConfigException | IllegalStateException e) {
            // First: what the application gets is an error of the JDK's, whose causes end in this one.
            Log.error("ucxnio cannot start: " + e.getMessage(), null);
            throw e;
        }
    }

    private static Engine tryStart() {
        Config config = Config.fromSystemProperties();
        SelectorProvider platform = PlatformProvider.find();
        SpinGovernor governor = new SpinGovernor(config);
        String reason = whyInactive(config);
        OverUcx ucx = reason == null ? OverUcx.start(config, governor) : null;
        if (ucx != null && ucx.transport() != null) {
            // The first connection over UCX may wait in a virtual thread, which would hold on to its carrier meanwhile.
            MovingNeeds.load();
        }
        if (reason == null && config.host() != HostMode.RINGS) {
            // Nothing else is left.
            reason = ucx.unavailable();
        }
        Engine engine = new Engine(config, platform, governor, ucx, reason);
        engine.announce();
        return engine;
    }

    /** Why nothing at all can be accelerated, as far as that is known before UCX is started; null where something may be. */
    private static String whyInactive(Config config) {
        if (!config.enabled()) {
            return Config.ENABLED + "=false";
        }
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            return "ucxnio runs on little-endian machines only";
        }
        // Whether the kernel can be asked shows when it is tried, which is put off where nobody insists.
        return config.required() ? Natives.unavailable() : Natives.ruledOut();
    }

    private void announce() {
        if (!active()) {
            if (config.required()) {
                throw new IllegalStateException(
                        "Nothing can be accelerated although " + Config.REQUIRED + "=true: " + inactiveReason);
            }
            Log.warn("ucxnio is off, the platform's own channels are used: " + inactiveReason);
            return;
        }
        if (OverUcx.isWanted(config) && ucx.unavailable() != null) {
            Log.warn("No connection goes over UCX: " + ucx.unavailable());
        }
        ReportSocket report = ReportSocket.start(platform);
        Runtime.getRuntime().addShutdownHook(new Exit(report));
    }

    private final class Exit extends Thread {
        private final ReportSocket report;

        Exit(ReportSocket report) {
            super("ucxnio-exit");
            this.report = report;
        }

        @Override
        public void run() {
            long deadline = System.nanoTime() + config.exitFlushNanos();
            ucx.exit(deadline);
            if (host != null) {
                host.end(deadline);
            }
            report.close();
        }
    }

    // -- factories ---------------------------------------------------------------------------------------------------

    boolean active() {
        return inactiveReason == null;
    }

    AbstractSelector openSelector(SelectorProvider provider) throws IOException {
        return active() ? Selectors.open(this, provider) : platform.openSelector();
    }

    /** What a selector takes is loaded with the first one. */
    private static final class Selectors {
        static AbstractSelector open(Engine engine, SelectorProvider provider) throws IOException {
            OverUcx ucx = engine.ucx;
            return new UcxSelector(provider, engine.platform, ucx.transport(), engine.governor, ucx.posix());
        }
    }

    SocketChannel openSocketChannel(SelectorProvider provider, ProtocolFamily family) throws IOException {
        return new UcxSocketChannel(services(provider), family);
    }

    ServerSocketChannel openServerSocketChannel(SelectorProvider provider, ProtocolFamily family) throws IOException {
        return new UcxServerSocketChannel(services(provider), family);
    }

    private ChannelServices services(SelectorProvider provider) {
        ChannelServices known = services;
        if (known == null || known.provider() != provider) {
            known = makeServices(provider);
            services = known;
        }
        return known;
    }

    private ChannelServices makeServices(SelectorProvider provider) {
        boolean hostStays = host == null || config.host() == HostMode.OFF;
        String reason = hostStays ? "connections of one host stay plain, as " + Config.HOST + " is off" : NOT_USED;
        return new ChannelServices(provider, platform, plainConnections, host, policy, governor, reason);
    }

    // -- looks -------------------------------------------------------------------------------------------------------

    Config config() {
        return config;
    }

    SelectorProvider platform() {
        return platform;
    }

    SpinGovernor governor() {
        return governor;
    }

    /** Null where UCX is not in use. */
    Transport transport() {
        return active() ? ucx.transport() : null;
    }

    /** Null where no connection moves off TCP. */
    Pairings pairings() {
        return host == null ? null : host.get();
    }

    /** Why UCX is not in use, or null where it is. */
    String ucxUnavailable() {
        return active() ? ucx.unavailable() : inactiveReason;
    }

    PlainConnections plainConnections() {
        return plainConnections;
    }

    /** Null where {@link #active}. */
    String inactiveReason() {
        return inactiveReason;
    }
}
