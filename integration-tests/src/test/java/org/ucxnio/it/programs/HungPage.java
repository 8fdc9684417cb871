package org.ucxnio.it.programs;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file in memory of which whoever touches a page waits, as it is with a file system that hangs: the kernel asks this process for it
 * (userfaultfd(2)), which gives no answer before {@link #close}.
 */
final class HungPage implements AutoCloseable {
    private static final int BYTES = 4096;
    private static final long SYS_USERFAULTFD = "aarch64".equals(System.getProperty("os.arch")) ? 282 : 323;
    private static final long CLOSE_ON_EXEC = 02000000;

    // linux/userfaultfd.h: numbers of ioctls, and structures of 64-bit words.
    private static final long UFFDIO_API = 0xC018AA3FL;
    private static final long UFFD_API = 0xAA;
    private static final long UFFDIO_REGISTER = 0xC020AA00L;
    private static final long MODE_MISSING = 1;
    private static final long UFFDIO_UNREGISTER = 0x8010AA01L;
    private static final int MESSAGE_BYTES = 32;
    private static final byte EVENT_PAGEFAULT = 0x12;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle SYSCALL = function(
            "syscall",
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
            Linker.Option.firstVariadicArg(1));
    private static final MethodHandle IOCTL = function(
            "ioctl",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS),
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle READ = function(
            "read",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));

    private final Arena arena = Arena.ofShared();
    private final MappedByteBuffer mapped;
    private final int descriptor;

    private HungPage(MappedByteBuffer mapped, int descriptor) {
        this.mapped = mapped;
        this.descriptor = descriptor;
    }

    @SuppressWarnings("restricted")
    private static MethodHandle function(String name, FunctionDescriptor descriptor, Linker.Option option) {
        return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(), descriptor, option);
    }

    @SuppressWarnings("restricted")
    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(), descriptor);
    }

    /** @throws UnsupportedOperationException where the kernel does not allow it */
    static HungPage open() throws IOException {
        int descriptor = openDescriptor();
        if (descriptor < 0) {
            throw new UnsupportedOperationException("no userfaultfd for this user");
        }
        HungPage page = new HungPage(mapFile(), descriptor);
        page.control(UFFDIO_API, UFFD_API, 0, 0);
        page.control(UFFDIO_REGISTER, page.address(), BYTES, MODE_MISSING, 0);
        return page;
    }

    private static int openDescriptor() {
        try {
            return (int) (long) SYSCALL.invokeExact(SYS_USERFAULTFD, CLOSE_ON_EXEC);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MappedByteBuffer mapFile() throws IOException {
        Path path = Files.createTempFile(Path.of("/dev/shm"), "ucxnio-it-hung", "");
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
        } finally {
            Files.delete(path);
        }
    }

    private long address() {
        return MemorySegment.ofBuffer(mapped).address();
    }

    /** The buffer that nobody can touch. */
    MappedByteBuffer mapped() {
        return mapped;
    }

    private void control(long request, long... words) throws IOException {
        int result;
        try (Arena call = Arena.ofConfined()) {
            result = (int) IOCTL.invokeExact(descriptor, request, call.allocateFrom(ValueLayout.JAVA_LONG, words));
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        if (result < 0) {
            throw new IOException("ioctl " + Long.toHexString(request) + " failed");
        }
    }

    /** Returns once somebody waits for the page. */
    void awaitWaiting() throws IOException {
        MemorySegment message = arena.allocate(MESSAGE_BYTES, Long.BYTES);
        long count;
        try {
            count = (long) READ.invokeExact(descriptor, message, (long) MESSAGE_BYTES);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        if (count != MESSAGE_BYTES || message.get(ValueLayout.JAVA_BYTE, 0) != EVENT_PAGEFAULT) {
            throw new IOException("No page fault was told, but " + count);
        }
    }

    /** From now on the page is there, full of zeros. */
    @Override
    public void close() throws IOException {
        control(UFFDIO_UNREGISTER, address(), BYTES);
    }
}
