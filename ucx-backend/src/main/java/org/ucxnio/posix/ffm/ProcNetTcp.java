package org.ucxnio.posix.ffm;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Owners of TCP sockets from {@code /proc/net/tcp} and {@code tcp6}: slow where there are many connections. */
final class ProcNetTcp {
    // sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode ...
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int UID = 7;
    private static final int INODE = 9;

    private ProcNetTcp() {}

    /** User id, or {@link SocketOwner#UNKNOWN}. */
    static int find(SocketOwner.Query query) {
        for (String file : new String[] {"/proc/net/tcp", "/proc/net/tcp6"}) {
            try (BufferedReader reader = Files.newBufferedReader(Path.of(file), StandardCharsets.US_ASCII)) {
                int owner = find(query, reader);
                if (owner != SocketOwner.UNKNOWN) {
                    return owner;
                }
            } catch (IOException | RuntimeException e) {
                // Not there, not readable or not of this format: the kernel does not tell.
                continue;
            }
        }
        return SocketOwner.UNKNOWN;
    }

    static int find(SocketOwner.Query query, BufferedReader reader) throws IOException {
        reader.readLine();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            String[] fields = line.trim().split("\\s+");
            if (fields.length <= INODE) {
                continue;
            }
            boolean exact = query.matches(
                    address(fields[LOCAL]), port(fields[LOCAL]), address(fields[REMOTE]), port(fields[REMOTE]));
            if (exact && SocketOwner.isConnected(Integer.parseInt(fields[STATE], 16)) && !fields[INODE].equals("0")) {
                return Integer.parseInt(fields[UID]);
            }
        }
        return SocketOwner.UNKNOWN;
    }

    private static int port(String field) {
        return Integer.parseInt(field, field.indexOf(':') + 1, field.length(), 16);
    }

    /** Words of 32 bits, each printed as a number of this machine although it holds network order. */
    private static byte[] address(String field) {
        int digits = field.indexOf(':');
        ByteBuffer bytes = ByteBuffer.allocate(digits / 2).order(ByteOrder.nativeOrder());
        for (int at = 0; at < digits; at += 8) {
            bytes.putInt(Integer.parseUnsignedInt(field, at, at + 8, 16));
        }
        return SocketOwner.mapped(bytes.array());
    }
}
