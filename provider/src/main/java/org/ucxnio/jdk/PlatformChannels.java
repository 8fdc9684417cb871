package org.ucxnio.jdk;

import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import sun.nio.ch.IOUtil;
import sun.nio.ch.SelChImpl;

/**
 * Calls of public methods of the platform's channels. Their package is exported to nobody: it has to be exported to us before this class
 * is used. The same by reflection costs a process that starts 10 ms. Compiled apart, with the package exported to the compiler.
 */
final class PlatformChannels {
    private PlatformChannels() {}

    /** @throws ClassCastException for a channel that is not the platform's */
    static int number(SelectableChannel channel) {
        return ((SelChImpl) channel).getFDVal();
    }

    /** @throws ClassCastException for a channel that is not the platform's */
    static void kill(SelectableChannel channel) throws IOException {
        ((SelChImpl) channel).kill();
    }

    static int number(FileDescriptor descriptor) {
        return IOUtil.fdVal(descriptor);
    }

    static FileDescriptor descriptor(int number) {
        return IOUtil.newFD(number);
    }

    static void configureBlocking(FileDescriptor descriptor, boolean block) throws IOException {
        IOUtil.configureBlocking(descriptor, block);
    }
}
