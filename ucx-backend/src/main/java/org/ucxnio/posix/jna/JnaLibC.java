package org.ucxnio.posix.jna;

import com.sun.jna.Function;
import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/** Functions of the C library. Addresses are longs: JNA allocates nothing for them. Thread-safe. */
public final class JnaLibC {
    private static final int RTLD_NOW = 2;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final long MAP_FAILED = -1;

    static {
        // Pointers travel as 64-bit integers: true of every platform UCX runs on, wrong elsewhere.
        if (Native.POINTER_SIZE != Long.BYTES) {
            throw new UnsatisfiedLinkError("needs a 64-bit platform");
        }
        Native.register(JnaLibC.class, NativeLibrary.getProcess(CNames.OPTIONS));
    }

    private JnaLibC() {}

    static native int epollCreate1(int flags) throws LastErrorException;

    static native int epollCtl(int epoll, int operation, int fd, long event) throws LastErrorException;

    static native int epollWait(int epoll, long events, int maxEvents, int timeoutMillis) throws LastErrorException;

    static native int eventfd(int initial, int flags) throws LastErrorException;

    static native int close(int fd);

    static native long read(int fd, long buffer, long size);

    static native long write(int fd, long buffer, long size);

    private static native String getenv(String name);

    private static native int setenv(String name, String value, int overwrite);

    private static native long mmap(long address, long length, int protection, int flags, int fd, long offset);

    private static native int munmap(long address, long length);

    private static native long dlopen(String file, int flags);

    private static native String dlerror();

    private static native long dlsym(long handle, String symbol);

    private static native int dladdr(long address, long info);

    private static native long openMemstream(long textAddress, long sizeAddress);

    private static native int fclose(long stream);

    private static native void free(long address);

    /** Value of a variable in the C environment, or null. */
    public static String environment(String name) {
        return getenv(name);
    }

    /** Sets a variable in the C environment. */
    public static void setEnvironment(String name, String value) {
        if (setenv(name, value, 1) != 0) {
            throw new IllegalArgumentException("cannot set the environment variable '" + name + "'");
        }
    }

    /** Zeroed memory at a page's start, or 0. */
    public static long map(long size) {
        long address = mmap(0, size, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0);
        return address == MAP_FAILED ? 0 : address;
    }

    public static void unmap(long address, long size) {
        munmap(address, size);
    }

    /** {@code dlopen}, all symbols bound at once; a handle, or 0. */
    public static long load(String library) {
        return dlopen(library, RTLD_NOW);
    }

    /** Why the last {@link #load} of this thread failed. */
    public static String loadError() {
        String error = dlerror();
        return error == null ? "unknown error" : error;
    }

    /** Address of a function of a loaded library, or 0. */
    public static long symbol(long library, String name) {
        return dlsym(library, name);
    }

    /** The file that holds the code at an address, or null. */
    public static String fileOf(long codeAddress) {
        // Dl_info: const char *dli_fname; void *dli_fbase; const char *dli_sname; void *dli_saddr.
        try (Memory info = new Memory(4L * Long.BYTES)) {
            return dladdr(codeAddress, Pointer.nativeValue(info)) == 0
                    ? null
                    : info.getPointer(0).getString(0);
        }
    }

    /** Calls {@code void f(unsigned *, unsigned *, unsigned *)}; what it stored. */
    public static int[] threeNumbers(long function) {
        try (Memory numbers = new Memory(3L * Integer.BYTES)) {
            numbers.clear();
            Function.getFunction(new Pointer(function))
                    .invokeVoid(
                            new Object[] {numbers, numbers.share(Integer.BYTES), numbers.share(2L * Integer.BYTES)});
            return numbers.getIntArray(0, 3);
        }
    }

    /** What a C function prints that is given the address of a {@code FILE}; empty where there is no memory. */
    public static String printed(LongConsumer printer) {
        try (Memory result = new Memory(2L * Long.BYTES)) {
            result.clear();
            long at = Pointer.nativeValue(result);
            long stream = openMemstream(at, at + Long.BYTES);
            if (stream == 0) {
                return "";
            }
            try {
                printer.accept(stream);
            } finally {
                fclose(stream);
            }
            Pointer text = result.getPointer(0);
            String printed = text == null ? "" : text.getString(0);
            free(Pointer.nativeValue(text));
            return printed;
        }
    }

    /** Address of a direct buffer's memory; the caller keeps the buffer reachable. */
    static long address(ByteBuffer direct) {
        return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
    }
}
