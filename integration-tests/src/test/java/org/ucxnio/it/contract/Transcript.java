package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * What the calls of a script answered, line by line: the value, or the exception with its message, and the interrupt status. The same
 * script is run on the JDK's channels and on others, and has to read the same. What differs from run to run (ports, hash codes, names
 * of classes) is left out.
 */
final class Transcript {
    private static final Pattern PORT = Pattern.compile("([:=])\\d{4,5}\\b");
    private static final Pattern HASH = Pattern.compile("@[0-9a-f]{5,8}\\b");

    private static final int PATIENT_RUNS = 3;

    /** References, by the name of the script. */
    private static final Map<String, List<String>> REFERENCES = new ConcurrentHashMap<>();

    interface Call {
        Object run() throws Throwable;
    }

    interface Act {
        void run() throws Throwable;
    }

    interface Script {
        void run(Transcript transcript, Sides sides) throws Exception;
    }

    /** A script of a connected pair. */
    interface Ends {
        void use(Transcript transcript, SocketChannel near, SocketChannel far) throws Exception;
    }

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    /**
     * Runs the script and compares it with what the JDK's channels answered. A script gives what it has sent a moment to arrive; how long
     * that takes nobody promises, least of all on busy processors. So where the answers differ they are compared again with more time for
     * each moment, several times over, and have to be the same each time.
     */
    static void expectLikeTheJdk(String name, Sides sides, Script script) throws Exception {
        List<String> reference = REFERENCES.get(name);
        if (reference == null) {
            reference = run(Sides.ofTheJdk(), script);
            REFERENCES.put(name, reference);
        }
        List<String> answers = run(sides, script);
        if (answers.equals(OlderAnswers.translated(reference, answers))) {
            assertThat(answers).isNotEmpty();
            return;
        }
        System.err.println(
                "'" + name + "' with " + sides + " differs at first: " + answers + " instead of " + reference);
        for (int i = 0; i < PATIENT_RUNS; i++) {
            reference = Sides.patiently(() -> run(Sides.ofTheJdk(), script));
            answers = Sides.patiently(() -> run(sides, script));
            assertThat(answers).isNotEmpty().containsExactlyElementsOf(OlderAnswers.translated(reference, answers));
        }
    }

    /** As {@link #expectLikeTheJdk}, with either end of a connection as the near one. */
    static void expectEitherEndLikeTheJdk(String name, Sides sides, Ends ends) throws Exception {
        for (int side = 0; side < 2; side++) {
            int near = side;
            expectLikeTheJdk(name + side, sides, (t, s) -> {
                SocketChannel[] pair = s.pair();
                ends.use(t, pair[near], pair[1 - near]);
            });
        }
    }

    private static List<String> run(Sides sides, Script script) throws Exception {
        Transcript transcript = new Transcript();
        try (sides) {
            script.run(transcript, sides);
        }
        return List.copyOf(transcript.lines);
    }

    /** Makes a call and notes the answer. */
    void call(String what, Call call) {
        note(what + ": " + answer(call));
    }

    /** The same for a call that returns nothing. */
    void act(String what, Act act) {
        call(what, () -> {
            act.run();
            return "done";
        });
    }

    /** Notes something that was found out in another way. */
    void note(Object line) {
        String text = PORT.matcher(String.valueOf(line)).replaceAll("$1PORT");
        lines.add(HASH.matcher(text).replaceAll("@HASH"));
    }

    /** What a call answers, in words. */
    static String answer(Call call) {
        String answer;
        try {
            Object value = call.run();
            answer = value instanceof Object[] values ? Arrays.deepToString(values) : String.valueOf(value);
        } catch (NullPointerException e) {
            // Its message names variables.
            answer = e.getClass().getName();
        } catch (Throwable e) {
            answer = e.getClass().getName() + " " + e.getMessage();
        }
        return Thread.currentThread().isInterrupted() ? answer + " (interrupted)" : answer;
    }
}
