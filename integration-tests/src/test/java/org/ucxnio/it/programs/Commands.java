package org.ucxnio.it.programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;
import org.ucxnio.it.harness.Traffic;

/** The standard input of a program: a word a line, each answered by a line; the end of it ends the program. */
final class Commands {
    private static final int COLLECTIONS_ALIKE = 8;

    private Commands() {}

    /** Something that answers a command. */
    @FunctionalInterface
    interface Action {
        String run() throws Exception;
    }

    static void print(String line) {
        synchronized (System.out) {
            System.out.println(line);
            System.out.flush();
        }
    }

    /** Serves {@code traffic}, {@code report}, {@code collect} and the given commands until standard input ends, then ends the JVM in an orderly way. */
    static void serve(Map<String, Action> actions) throws IOException {
        try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            String line = in.readLine();
            while (line != null) {
                print(answer(actions, line));
                line = in.readLine();
            }
        }
        System.exit(0);
    }

    private static String answer(Map<String, Action> actions, String command) {
        try {
            if (actions.containsKey(command)) {
                return actions.get(command).run();
            }
            return switch (command) {
                case "traffic" -> Traffic.ofThisJvm().toLine();
                case "report" -> "REPORT " + org.ucxnio.UcxNio.report().replace('\n', '|');
                case "collect" -> collect();
                default -> throw new IllegalArgumentException("no such command");
            };
        } catch (Exception e) {
            e.printStackTrace();
            return "FAILED " + command + ": " + e;
        }
    }

    /**
     * Has the JVM let go of what nobody holds, and the allocator give back to the kernel what is free. Direct buffers are freed by another thread, behind
     * the collection: once they are as many as behind the collections before, it has done so.
     */
    private static String collect() throws JMException {
        long bytes = -1;
        int alike = 0;
        while (alike < COLLECTIONS_ALIKE) {
            System.gc();
            long left = directBytes();
            alike = left == bytes ? alike + 1 : 0;
            bytes = left;
        }
        ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "systemTrimNativeHeap",
                        new Object[0],
                        new String[0]);
        return "COLLECTED";
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
