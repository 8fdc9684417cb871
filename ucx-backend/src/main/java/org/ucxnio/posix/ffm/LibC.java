package org.ucxnio.posix.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/** The C library, each function next to its declaration. Internal to the FFM packages. Thread-safe. */
@SuppressWarnings("restricted")
public final class LibC {
    static final int ENOENT = 2;
    static final int EINTR = 4;

    private static final long PROT_READ_WRITE = 3;
    private static final long MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final long RTLD_NOW = 2;
    private static final long TIOCOUTQ = 0x5411;
    private static final long FIONREAD = 0x541b;
    private static final long IPPROTO_TCP = 6;
    private static final long TCP_INFO = 11;
    private static final byte TCP_ESTABLISHED = 1;

    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = CAPTURE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle GETENV = handle("getenv", 1);
    private static final MethodHandle SETENV = handle("setenv", 3);
    private static final MethodHandle GETEUID = handle("geteuid", 0);
    private static final MethodHandle STRERROR = handle("strerror", 1);
    private static final MethodHandle MMAP = handle("mmap", 6);
    private static final MethodHandle MUNMAP = handle("munmap", 2);
    private static final MethodHandle CALLOC = handle("calloc", 2);
    private static final MethodHandle FREE = handle("free", 1);
    private static final MethodHandle CLOSE = handle("close", 1);
    private static final MethodHandle READ = handle("read", 3);
    private static final MethodHandle WRITE = handle("write", 3);
    private static final MethodHandle IOCTL = Raw.downcall(address("ioctl"), 3, Linker.Option.firstVariadicArg(2));
    private static final MethodHandle GETSOCKOPT = handle("getsockopt", 5);
    private static final MethodHandle OPEN_MEMSTREAM = handle("open_memstream", 2);
    private static final MethodHandle FCLOSE = handle("fclose", 1);
    private static final MethodHandle DLOPEN = handle("dlopen", 2);
    private static final MethodHandle DLSYM = handle("dlsym", 2);
    private static final MethodHandle DLERROR = handle("dlerror", 0);
    private static final MethodHandle DLADDR = handle("dladdr", 2);

    private LibC() {}

    /** {@code char *getenv(const char *name)}; null where it is not set. */
    public static String getenv(String name) {
        try (Arena arena = Arena.ofConfined()) {
            return Raw.string((long) GETENV.invokeExact(arena.allocateFrom(name).address()));
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** {@code int setenv(const char *name, const char *value, int overwrite)}. */
    public static void setenv(String name, String value) {
        int result;
        try (Arena arena = Arena.ofConfined()) {
            result = (int) (long) SETENV.invokeExact(
                    arena.allocateFrom(name).address(),
                    arena.allocateFrom(value).address(),
                    1L);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
        if (result != 0) {
            throw new IllegalArgumentException("cannot set the environment variable '" + name + "'");
        }
    }

    /** {@code uid_t geteuid(void)}. */
    static int geteuid() {
        try {
            return (int) (long) GETEUID.invokeExact();
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** {@code char *strerror(int errnum)}: text and number of an errno value. */
    static String describeErrno(int errno) {
        try {
            return Raw.string((long) STRERROR.invokeExact((long) errno)) + " (errno " + errno + ")";
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /**
     * {@code void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)} of private, anonymous, zeroed
     * memory, committed as it is touched.
     *
     * @return the address, page-aligned; 0 where there is no memory
     */
    public static long map(long length) {
        try {
            long address = (long) MMAP.invokeExact(0L, length, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1L, 0L);
            return address == -1 ? 0 : address;
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** {@code int munmap(void *addr, size_t length)}. */
    public static void unmap(long address, long length) {
        try {
            long ignored = (long) MUNMAP.invokeExact(address, length);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** {@code void *calloc(size_t nmemb, size_t size)}; never 0. */
    public static long allocateZeroed(long size) {
        long address;
        try {
            address = (long) CALLOC.invokeExact(1L, size);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
        if (address == 0) {
            throw new OutOfMemoryError("calloc of " + size + " bytes");
        }
        return address;
    }

    /** {@code void free(void *ptr)}. */
    public static void free(long address) {
        try {
            long ignored = (long) FREE.invokeExact(address);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** {@code int close(int fd)}. */
    static void close(int fd) {
        try {
            long ignored = (long) CLOSE.invokeExact((long) fd);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** {@code ssize_t read(int fd, void *buf, size_t count)}; -1 on any error. */
    static long read(int fd, long buffer, long count) {
        try {
            return (long) READ.invokeExact((long) fd, buffer, count);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** {@code ssize_t write(int fd, const void *buf, size_t count)}; -1 on any error. */
    static long write(int fd, long buffer, long count) {
        try {
            return (long) WRITE.invokeExact((long) fd, buffer, count);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static int outputQueue(int fd) {
        return queue(fd, TIOCOUTQ);
    }

    static int inputQueue(int fd) {
        return queue(fd, FIONREAD);
    }

    /** {@code int ioctl(int fd, unsigned long op, ...)} with an {@code int *}; 0 on any error. */
    private static int queue(int fd, long op) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(JAVA_INT);
            int result = (int) (long) IOCTL.invokeExact((long) fd, op, bytes.address());
            return result == 0 ? bytes.get(JAVA_INT, 0) : 0;
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /**
     * {@code int getsockopt(int fd, int level, int optname, void *optval, socklen_t *optlen)} with {@code TCP_INFO}: whether the
     * {@code __u8 tcpi_state} at the start of {@code struct tcp_info} is {@code TCP_ESTABLISHED}; false on any error.
     */
    static boolean isEstablished(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            // The kernel fills in as much of the structure as there is room for.
            MemorySegment state = arena.allocate(Long.BYTES, Long.BYTES);
            MemorySegment length = arena.allocateFrom(JAVA_INT, Long.BYTES);
            int result = (int)
                    (long) GETSOCKOPT.invokeExact((long) fd, IPPROTO_TCP, TCP_INFO, state.address(), length.address());
            return result == 0 && length.get(JAVA_INT, 0) > 0 && state.get(JAVA_BYTE, 0) == TCP_ESTABLISHED;
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** {@code FILE *open_memstream(char **ptr, size_t *sizeloc)}; 0 on failure. */
    public static long openMemoryStream(long pointerAddress, long sizeAddress) {
        try {
            return (long) OPEN_MEMSTREAM.invokeExact(pointerAddress, sizeAddress);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** {@code int fclose(FILE *stream)}. */
    public static void closeStream(long stream) {
        try {
            long ignored = (long) FCLOSE.invokeExact(stream);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /**
     * {@code void *dlopen(const char *filename, int flags)}, all symbols bound at once; what {@code SymbolLookup} does
     * not give is {@link #loadError}.
     *
     * @return a handle, or 0
     */
    public static long load(String library) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) DLOPEN.invokeExact(arena.allocateFrom(library).address(), RTLD_NOW);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** {@code char *dlerror(void)}: why the last {@link #load} of this thread failed. */
    public static String loadError() {
        try {
            String error = Raw.string((long) DLERROR.invokeExact());
            return error == null ? "unknown error" : error;
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** {@code void *dlsym(void *handle, const char *symbol)}; 0 where there is no such symbol. */
    public static long symbol(long library, String name) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) DLSYM.invokeExact(library, arena.allocateFrom(name).address());
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** {@code int dladdr(const void *addr, Dl_info *info)}: the file that holds the code at an address, or null. */
    public static String fileOf(long codeAddress) {
        try (Arena arena = Arena.ofConfined()) {
            // Dl_info: const char *dli_fname; void *dli_fbase; const char *dli_sname; void *dli_saddr.
            MemorySegment info = arena.allocate(32, 8);
            int found = (int) (long) DLADDR.invokeExact(codeAddress, info.address());
            return found == 0 ? null : Raw.string(info.get(JAVA_LONG, 0));
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** Address of a function of the C library. */
    static long address(String name) {
        return Linker.nativeLinker()
                .defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsupportedOperationException("the C library has no function " + name))
                .address();
    }

    /** A handle that leaves errno in a segment of {@link #newErrnoState}, its first argument. */
    static MethodHandle handleWithErrno(String name, int arguments) {
        return Raw.downcall(address(name), arguments, ERRNO);
    }

    /** As {@link #handleWithErrno}; other platforms pass what follows {@code fixed} arguments in another way. */
    static MethodHandle variadicWithErrno(String name, int fixed, int arguments) {
        return Raw.downcall(address(name), arguments, Linker.Option.firstVariadicArg(fixed), ERRNO);
    }

    static MemorySegment newErrnoState(Arena arena) {
        return arena.allocate(CAPTURE);
    }

    /** An errno state in memory the caller frees: {@code Long.BYTES} are enough. */
    static MemorySegment errnoStateAt(long address) {
        return MemorySegment.ofAddress(address).reinterpret(CAPTURE.byteSize());
    }

    static int errno(MemorySegment state) {
        return state.get(JAVA_INT, ERRNO_OFFSET);
    }

    private static MethodHandle handle(String name, int arguments) {
        return Raw.downcall(address(name), arguments);
    }

    static {
        // Pointers travel as 64-bit integers: true of every platform UCX runs on, wrong elsewhere.
        if (ADDRESS.byteSize() != Long.BYTES) {
            throw new UnsupportedOperationException("needs a 64-bit platform");
        }
    }
}
