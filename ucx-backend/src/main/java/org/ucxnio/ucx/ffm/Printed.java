package org.ucxnio.ucx.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongConsumer;
import org.ucxnio.posix.ffm.LibC;
import org.ucxnio.posix.ffm.Raw;

/** What C functions print to a {@code FILE *}. */
final class Printed {
    private Printed() {}

    /** What a function that is given the stream prints; empty where there is no memory. */
    static String by(LongConsumer printer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(2L * Long.BYTES, Long.BYTES);
            long stream = LibC.openMemoryStream(result.address(), result.address() + Long.BYTES);
            if (stream == 0) {
                return "";
            }
            try {
                printer.accept(stream);
            } finally {
                LibC.closeStream(stream);
            }
            long text = result.get(ValueLayout.JAVA_LONG, 0);
            String printed = text == 0 ? "" : Raw.string(text);
            LibC.free(text);
            return printed;
        }
    }
}
