package org.ucxnio.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;

/** A program writes, closes and ends while its peer stands still; the peer goes on and reads all of it. */
public final class LastBytes {
    /** About what kernels' buffers take at most, and less than a sender may have under way. */
    private static final int COUNT = 3_900_000;

    /** Time for the program to come to its end; where that takes longer, the test sees less than it could. */
    private static final int STANDSTILL_MS = 700;

    private LastBytes() {}

    /** Has {@code writer} write to {@code reader}, on a connection that both know by this name. */
    public static void expectDelivered(Node writer, Node reader, String name) throws Exception {
        reader.jvm().signal("STOP");
        try {
            writer.start("writeCloseExit " + name + " " + COUNT);
            TimeUnit.MILLISECONDS.sleep(STANDSTILL_MS);
        } finally {
            reader.jvm().signal("CONT");
        }
        assertThat(reader.call("readToEnd " + name)).isEqualTo(Integer.toString(COUNT));
        assertThat(writer.jvm().awaitExit(ChildJvm.PATIENCE)).isZero();
        writer.expectQuiet();
    }
}
