package org.ucxnio.it.programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.ucxnio.it.harness.Traffic;

/** The standard input of a program: a word a line, each answered by a line; the end of it ends the program. */
final class Commands {
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
                case "collect" -> {
                    System.gc();
                    yield "COLLECTED";
                }
                default -> throw new IllegalArgumentException("no such command");
            };
        } catch (Exception e) {
            e.printStackTrace();
            return "FAILED " + command + ": " + e;
        }
    }
}
