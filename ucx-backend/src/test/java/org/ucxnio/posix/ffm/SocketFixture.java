package org.ucxnio.posix.ffm;

import java.nio.channels.NetworkChannel;

/** Descriptors of the JDK's channels. */
final class SocketFixture {
    private SocketFixture() {}

    static int fd(NetworkChannel channel) throws ReflectiveOperationException {
        new FfmPosix().exportJavaBasePackage("sun.nio.ch");
        return (int) Class.forName("sun.nio.ch.SelChImpl").getMethod("getFDVal").invoke(channel);
    }
}
