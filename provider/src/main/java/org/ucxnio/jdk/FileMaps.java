package org.ucxnio.jdk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.ucxnio.counters.Log;
import org.ucxnio.posix.FileMemory;

/** Maps files. Thread-safe. */
public final class FileMaps {
    private static final String LATER = "org.ucxnio.posix.ffm.SegmentFileMemory";

    /** By a class that Java 17 to 21 do not have what it needs for; loaded at the first use. */
    private static final class Holder {
        static final FileMemory MEMORY = find();

        private static FileMemory find() {
            if (!Natives.hasForeignFunctions() || !Natives.export("jdk.internal.access")) {
                return FileMaps::mapAsUsual;
            }
            try {
                // Not by a ServiceLoader, which opens every JAR of the class path.
                return (FileMemory) SecondObject.of(Class.forName(LATER));
            } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
                Log.debug("Files are mapped the usual way: " + e);
                return FileMaps::mapAsUsual;
            }
        }
    }

    private FileMaps() {}

    /**
     * Maps a file from its beginning, to be read and written, until nobody uses the buffer or a part of it any more. What the first call of
     * {@link FileChannel#map} costs a process, some 30 ms, is saved where the JDK has another way.
     *
     * @param bytes at most {@link Integer#MAX_VALUE}
     */
    public static ByteBuffer map(FileChannel file, long bytes) throws IOException {
        return Holder.MEMORY.map(file, bytes);
    }

    private static ByteBuffer mapAsUsual(FileChannel file, long bytes) throws IOException {
        return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
    }
}
