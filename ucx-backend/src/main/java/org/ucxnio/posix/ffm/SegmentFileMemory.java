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
    @Override
    public ByteBuffer map(FileChannel file, long bytes) throws IOException {
        MemorySegment segment = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto());
        return nio().newDirectByteBuffer(segment.address(), Math.toIntExact(bytes), segment, null);
    }

    @Override
    public void requireSupport() {
        // An empty buffer, which is never read: links the call.
        nio().newDirectByteBuffer(0, 0, null, null);
    }

    private static JavaNioAccess nio() {
        return SharedSecrets.getJavaNioAccess();
    }
}
