package org.ucxnio.posix.ffm;

import java.nio.channels.SocketChannel;

/** Descriptors of the JDK's channels. */
final class SocketFixture {
    private SocketFixture() {}

    static int fd(SocketChannel channel) throws ReflectiveOperationException {
        new FfmPosix().exportJavaBasePackage("sun.nio.ch");
        return (int) Class.forName("sun.nio.ch.SelChImpl").getMethod("getFDVal").invoke(channel);
    }
}
