package org.ucxnio.jdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What TCP sockets have sent that the peer's kernel has not confirmed, from the kernel's table of all sockets of the network namespace.
 * That costs some microseconds for each socket there is, so the table is read for a small share of the time alone, unless one
 * reading takes long. A reading answers everybody who has asked before it, so that it takes no longer where many ask. Thread-safe; the monitor is held while the table is read.
 *
 * <p>So an answer may be older than the question, yet never older than the first time the same was asked without an answer. Whoever asks
 * once the end of the stream was sent does not get an answer from before that: a question in another state of the connection is another
 * question. And then nothing can be sent behind the first one.
 *
 * <p>No lambdas and no regular expressions: a process may ask once, at its end.
 */
final class SendQueues {
    /** The time between two readings, in readings. */
    private static final int SHARE = 20;

    /** A reader may wait for the answer, and a thread that loses its processor makes a reading look long. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final List<Path> TABLES = List.of(Path.of("/proc/self/net/tcp6"), Path.of("/proc/self/net/tcp"));
    private static final String SOCKET = "socket:[";

    // Columns of a line, blanks apart.
    private static final int QUEUES = 4;
    private static final int INODE = 9;

    private static final int UNKNOWN = Integer.MAX_VALUE;

    /** What was asked of a socket in a state, and the answer. */
    private record Question(int state, int bytes) {}

    /** The kernel's tables. */
    interface Tables {
        List<String> read() throws IOException;
    }

    private enum Kernel implements Tables, LongSupplier {
        INSTANCE;

        @Override
        public List<String> read() throws IOException {
            List<String> found = new ArrayList<>();
            for (Path table : TABLES) {
                // A kernel without IPv6 has no such table.
                if (Files.exists(table)) {
                    found.add(Files.readString(table));
                }
            }
            return found;
        }

        @Override
        public long getAsLong() {
            return System.nanoTime();
        }
    }

    private final Tables tables;
    private final LongSupplier clock;

    /** Asked for and not answered since the last reading, each as {@link #UNKNOWN}, and what that has found of those before. */
    private Map<String, Question> asked = new HashMap<>();

    private long notBefore;

    SendQueues() {
        this(Kernel.INSTANCE, Kernel.INSTANCE);
    }

    /** @param clock gives nanoseconds */
    SendQueues(Tables tables, LongSupplier clock) {
        this.tables = tables;
        this.clock = clock;
        notBefore = clock.getAsLong();
    }

    /**
     * {@link Integer#MAX_VALUE} where it is not known at this moment; 0 where the socket is not in the table.
     *
     * @param state that of the connection
     */
    int bytes(int fd, int state) {
        try {
            String inode = inode(fd);
            return inode == null ? 0 : bytes(inode, state);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    synchronized int bytes(String inode, int state) throws IOException {
        Question before = asked.get(inode);
        if (before == null || before.state != state || before.bytes == UNKNOWN) {
            asked.put(inode, new Question(state, UNKNOWN));
            readIfDue();
        }
        int bytes = asked.get(inode).bytes;
        if (bytes != UNKNOWN) {
            // The next question is another one.
            asked.remove(inode);
        }
        return bytes;
    }

    private void readIfDue() throws IOException {
        long start = clock.getAsLong();
        if (start - notBefore < 0) {
            return;
        }
        try {
            Map<String, Integer> bytes = new HashMap<>();
            for (String inode : asked.keySet()) {
                bytes.put(inode, 0);
            }
            for (String table : tables.read()) {
                find(bytes, table);
            }
            // Answers that nobody came back for are forgotten.
            Map<String, Question> answers = new HashMap<>();
            for (Map.Entry<String, Question> each : asked.entrySet()) {
                if (each.getValue().bytes == UNKNOWN) {
                    answers.put(each.getKey(), new Question(each.getValue().state, bytes.get(each.getKey())));
                }
            }
            asked = answers;
        } finally {
            long end = clock.getAsLong();
            notBefore = end + Math.min(SHARE * (end - start), LONGEST_PAUSE_NANOS);
        }
    }

    /** Null where it is no socket. */
    private static String inode(int fd) throws IOException {
        String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + fd)).toString();
        return target.startsWith(SOCKET) ? target.substring(SOCKET.length(), target.length() - 1) : null;
    }

    /** Puts in what the table says of the sockets that are wanted. */
    static void find(Map<String, Integer> wanted, String table) {
        int start = 0;
        while (start < table.length()) {
            int end = table.indexOf('\n', start);
            findInLine(wanted, table, start, end < 0 ? table.length() : end);
            start = end < 0 ? table.length() : end + 1;
        }
    }

    private static void findInLine(Map<String, Integer> wanted, String table, int start, int end) {
        int queues = 0;
        int at = start;
        for (int column = 0; column <= INODE && at < end; column++) {
            int from = pass(table, at, end, true);
            at = pass(table, from, end, false);
            if (column == QUEUES) {
                queues = from;
            } else if (column == INODE) {
                String inode = table.substring(from, at);
                if (wanted.containsKey(inode)) {
                    wanted.put(inode, (int) Long.parseLong(table, queues, table.indexOf(':', queues), 16));
                }
            }
        }
    }

    /** Passes over blanks, or over what is none. */
    private static int pass(String table, int start, int end, boolean blanks) {
        int at = start;
        while (at < end && table.charAt(at) == ' ' == blanks) {
            at++;
        }
        return at;
    }
}
