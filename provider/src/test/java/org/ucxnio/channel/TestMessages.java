package org.ucxnio.channel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.ServiceLoader;
import org.ucxnio.config.Config;
import org.ucxnio.jdk.Natives;
import org.ucxnio.link.Carrier;
import org.ucxnio.posix.Posix;
import org.ucxnio.transport.MessageCarrier;
import org.ucxnio.transport.Transport;
import org.ucxnio.ucx.fake.FakeUcx;

/** What two processes need to send each other messages: a UCX that is none. One for all tests, as a transport lives as long as its JVM. */
final class TestMessages {
    private static final class Holder {
        static final TestMessages INSTANCE = make();

        private static TestMessages make() {
            try {
                return new TestMessages();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    final Posix posix = ServiceLoader.load(Posix.class).findFirst().orElseThrow();
    final Transport near;
    private final MessageCarrier nearCarrier;
    private final MessageCarrier farCarrier;

    private TestMessages() throws IOException {
        Natives.export("sun.nio.ch");
        // A small window, so that writers have to wait.
        Config config = Config.from(Map.of(Config.WINDOW, "64k")::get);
        FakeUcx ucx = new FakeUcx();
        near = new Transport(config, ucx, posix);
        nearCarrier = new MessageCarrier(near);
        farCarrier = new MessageCarrier(new Transport(config, ucx, posix));
    }

    static TestMessages instance() {
        return Holder.INSTANCE;
    }

    Carrier.Bond nearBond() throws IOException {
        return join(nearCarrier, farCarrier);
    }

    Carrier.Bond farBond() throws IOException {
        return join(farCarrier, nearCarrier);
    }

    private static Carrier.Bond join(Carrier ours, Carrier theirs) throws IOException {
        ByteBuffer hello = ByteBuffer.allocate(256);
        theirs.introduce(hello);
        return ours.join(hello.flip(), true, number -> {});
    }
}
