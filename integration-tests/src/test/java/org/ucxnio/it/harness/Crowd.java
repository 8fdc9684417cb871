package org.ucxnio.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** More threads that want to run than the machine has processors, until closed. */
public final class Crowd implements AutoCloseable {
    private static final int LOOKS = 50;

    private volatile boolean over;

    private Crowd() {}

    /** Threads of this process's, two more than there are processors. */
    public static Crowd gather() {
        Crowd crowd = new Crowd();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors() + 2; i++) {
            Threads.daemon("crowd", crowd::run);
        }
        return crowd;
    }

    private void run() {
        while (!over) {
            Thread.onSpinWait();
        }
    }

    /** Whether the machine, or that of the container this runs in, is crowded for the most part, whoever by. */
    public static boolean isThere() throws IOException, InterruptedException {
        int crowded = 0;
        for (int i = 0; i < LOOKS; i++) {
            String wantToRun =
                    Files.readString(Path.of("/proc/loadavg")).split(" ")[3].split("/")[0];
            crowded += Integer.parseInt(wantToRun) > Runtime.getRuntime().availableProcessors() ? 1 : 0;
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return 2 * crowded > LOOKS;
    }

    @Override
    public void close() {
        over = true;
    }
}
