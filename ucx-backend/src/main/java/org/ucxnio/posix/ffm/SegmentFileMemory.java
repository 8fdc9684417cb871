package org.ucxnio.posix.ffm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import jdk.internal.access.JavaNioAccess;
import jdk.internal.access.SharedSecrets;
import org.ucxnio.posix.FileMemory;

/**
 * Maps files as segments, and makes buffers of them as the JDK does for native code: {@link FileChannel#map(FileChannel.MapMode, long, long)}
 * makes them by reflection, which is slow at first. The buffer is a plain one, which holds on to the segment; an access asks for no arena. Needs the
 * package {@code jdk.internal.access} exported to us, and is compiled apart, with it exported to the compiler.
 */
public final class SegmentFileMemory implements FileMemory {
    private static final JavaNioAccess NIO = SharedSecrets.getJavaNioAccess();

    static {
        // An empty buffer, which is never read: where this JVM lacks what is called here, the class cannot be used at
        // all.
        NIO.newDirectByteBuffer(0, 0, null, null);
    }

    @Override
    public ByteBuffer map(FileChannel file, long bytes) throws IOException {
        MemorySegment segment = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto());
        return NIO.newDirectByteBuffer(segment.address(), Math.toIntExact(bytes), segment, null);
    }
}
