package org.ucxnio.it.programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.ucxnio.it.harness.PeerActor;

/** The far end of a contract test's connections as a process: commands come in on standard input. */
public final class PeerMain {
    /** What the answer to a command starts with. */
    public static final String ANSWER = "ANSWER ";

    private PeerMain() {}

    public static void main(String[] arguments) throws IOException {
        try (PeerActor actor = new PeerActor(SelectorProvider.provider());
                var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            ExecutorService threads = Executors.newCachedThreadPool();
            System.out.println("READY");
            String line = commands.readLine();
            while (line != null) {
                String[] words = line.split(" ", 2);
                threads.execute(() -> answer(actor, words[0], words[1]));
                line = commands.readLine();
            }
            threads.shutdownNow();
        }
        System.exit(0);
    }

    private static void answer(PeerActor actor, String id, String command) {
        try {
            print(id + " ok " + actor.execute(command));
        } catch (IOException | RuntimeException e) {
            print(id + " failed " + e);
        }
    }

    private static void print(String answer) {
        synchronized (System.out) {
            System.out.println(ANSWER + answer.replace('\n', ' '));
            System.out.flush();
        }
    }
}
