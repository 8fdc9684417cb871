package org.ucxnio.jdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What TCP sockets have sent that the peer's kernel has not confirmed, from the kernel's table of all sockets of the network namespace.
 * That costs some microseconds for each socket there is, so the table is read for a small share of the time alone. Thread-safe; the
 * monitor is held while the table is read.
 */
final class SendQueues {
    /** The time between two readings, in readings. */
    private static final int SHARE = 20;

    private static final List<Path> TABLES = List.of(Path.of("/proc/self/net/tcp6"), Path.of("/proc/self/net/tcp"));
    private static final String SOCKET = "socket:[";

    // Columns of a line, blanks apart.
    private static final int QUEUES = 4;
    private static final int INODE = 9;

    private long notBefore = System.nanoTime();

    /** {@link Integer#MAX_VALUE} where it is not known at this moment; 0 where the socket is not in the table. */
    synchronized int bytes(int fd) {
        long start = System.nanoTime();
        if (start - notBefore < 0) {
            return Integer.MAX_VALUE;
        }
        try {
            String inode = inode(fd);
            return inode == null ? 0 : find(inode);
        } catch (IOException e) {
            return Integer.MAX_VALUE;
        } finally {
            long end = System.nanoTime();
            notBefore = end + SHARE * (end - start);
        }
    }

    /** Null where it is no socket. */
    private static String inode(int fd) throws IOException {
        String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + fd)).toString();
        return target.startsWith(SOCKET) ? target.substring(SOCKET.length(), target.length() - 1) : null;
    }

    private static int find(String inode) throws IOException {
        for (Path table : TABLES) {
            // A kernel without IPv6 has no such table.
            if (Files.exists(table)) {
                int bytes = find(inode, Files.readString(table));
                if (bytes >= 0) {
                    return bytes;
                }
            }
        }
        return 0;
    }

    /** What the table says of the socket; below 0 where it is not there. */
    static int find(String inode, String table) {
        for (int at = table.indexOf(inode); at >= 0; at = table.indexOf(inode, at + 1)) {
            int end = table.indexOf('\n', at);
            String line = table.substring(table.lastIndexOf('\n', at) + 1, end < 0 ? table.length() : end);
            String[] columns = line.strip().split("\\s+");
            if (columns.length > INODE && columns[INODE].equals(inode)) {
                String queue = columns[QUEUES];
                return (int) Long.parseLong(queue.substring(0, queue.indexOf(':')), 16);
            }
        }
        return -1;
    }
}
