package org.ucxnio.selector;

import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.ucxnio.config.Config;
import org.ucxnio.jdk.Natives;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.posix.Posix;
import org.ucxnio.transport.Transport;
import org.ucxnio.ucx.fake.FakeUcx;

/** Selectors over a transport with a fake UCX. */
final class SelectorFixture {
    private static final Map<String, SelectorFixture> SHARED = new HashMap<>();

    final Transport near;
    private final Posix posix = ServiceLoader.load(Posix.class).findFirst().orElseThrow();

    private SelectorFixture(String waitMode) throws IOException {
        Natives.export("sun.nio.ch");
        Config config = Config.from(Map.of(Config.WAIT, waitMode)::get);
        FakeUcx ucx = new FakeUcx();
        near = new Transport(config, ucx, posix);
    }

    static synchronized SelectorFixture with(String waitMode) throws IOException {
        SelectorFixture fixture = SHARED.get(waitMode);
        if (fixture == null) {
            fixture = new SelectorFixture(waitMode);
            SHARED.put(waitMode, fixture);
        }
        return fixture;
    }

    Posix posix() {
        return posix;
    }

    UcxSelector open() throws IOException {
        return open(posix);
    }

    UcxSelector open(Posix sleepsWith) throws IOException {
        SelectorProvider platform = SelectorProvider.provider();
        return new UcxSelector(platform, platform, near, near.governor(), sleepsWith);
    }

    /** A selector as in a process that needs no UCX and has no native access. */
    static UcxSelector openWithoutUcx(String waitMode) throws IOException {
        SelectorProvider platform = SelectorProvider.provider();
        SpinGovernor governor = new SpinGovernor(Config.from(Map.of(Config.WAIT, waitMode)::get));
        return new UcxSelector(platform, platform, null, governor, null);
    }
}
