package org.ucxnio.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The network namespace of this process. Addresses mean the same to two processes only where they share it. */
final class NetworkNamespace {
    private static final Path LINK = Path.of("/proc/self/ns/net");

    private NetworkNamespace() {}

    /** Its inode, which no other namespace of this machine has. */
    static long inode() throws IOException {
        return inode(LINK);
    }

    static long inode(Path link) throws IOException {
        try {
            String target = Files.readSymbolicLink(link).toString();
            return Long.parseUnsignedLong(target.substring(target.indexOf('[') + 1, target.indexOf(']')));
        } catch (IOException | RuntimeException e) {
            throw new IOException("the network namespace of this process cannot be read from " + link, e);
        }
    }
}
