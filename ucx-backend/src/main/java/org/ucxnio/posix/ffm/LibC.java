package org.ucxnio.posix.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
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
    private static final short POLLOUT = 4;

    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = CAPTURE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle GETENV = function("getenv");
    private static final MethodHandle SETENV = function("setenv");
    private static final MethodHandle STRERROR = function("strerror");
    private static final MethodHandle MMAP = function("mmap");
    private static final MethodHandle MUNMAP = function("munmap");
    private static final MethodHandle CALLOC = function("calloc");
    private static final MethodHandle FREE = function("free");
    private static final MethodHandle CLOSE = function("close");
    private static final MethodHandle READ = function("read");
    private static final MethodHandle WRITE = function("write");
    private static final MethodHandle IOCTL = function("ioctl");
    private static final MethodHandle POLL = function("poll");
    private static final MethodHandle GETSOCKOPT = function("getsockopt");
    private static final MethodHandle OPEN_MEMSTREAM = function("open_memstream");
    private static final MethodHandle FCLOSE = function("fclose");
    private static final MethodHandle DLOPEN = function("dlopen");
    private static final MethodHandle DLSYM = function("dlsym");
    private static final MethodHandle DLERROR = function("dlerror");
    private static final MethodHandle DLADDR = function("dladdr");

    private LibC() {}

    /** {@code char *getenv(const char *name)}; null where it is not set. */
    public static String getenv(String name) {
        try (Arena arena = Arena.ofConfined()) {
            return Raw.string(Raw.call(GETENV, arena.allocateFrom(name).address()));
        }
    }

    /** {@code int setenv(const char *name, const char *value, int overwrite)}. */
    public static void setenv(String name, String value) {
        int result;
        try (Arena arena = Arena.ofConfined()) {
            result = (int) Raw.call(
                    SETENV,
                    arena.allocateFrom(name).address(),
                    arena.allocateFrom(value).address(),
                    1L);
        }
        if (result != 0) {
            throw new IllegalArgumentException("cannot set the environment variable '" + name + "'");
        }
    }

    /** {@code char *strerror(int errnum)}: text and number of an errno value. */
    static String describeErrno(int errno) {
        return Raw.string(Raw.call(STRERROR, (long) errno)) + " (errno " + errno + ")";
    }

    /**
     * {@code void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)} of private, anonymous, zeroed
     * memory, committed as it is touched.
     *
     * @return the address, page-aligned; 0 where there is no memory
     */
    public static long map(long length) {
        long address = Raw.call(MMAP, 0L, length, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1L, 0L);
        return address == -1 ? 0 : address;
    }

    /** {@code int munmap(void *addr, size_t length)}. */
    public static void unmap(long address, long length) {
        Raw.call(MUNMAP, address, length);
    }

    /** {@code void *calloc(size_t nmemb, size_t size)}; never 0. */
    public static long allocateZeroed(long size) {
        long address = Raw.call(CALLOC, 1L, size);
        if (address == 0) {
            throw new OutOfMemoryError("calloc of " + size + " bytes");
        }
        return address;
    }

    /** {@code void free(void *ptr)}. */
    public static void free(long address) {
        Raw.call(FREE, address);
    }

    /** {@code int close(int fd)}. */
    static void close(int fd) {
        Raw.call(CLOSE, (long) fd);
    }

    /** {@code ssize_t read(int fd, void *buf, size_t count)}; -1 on any error. */
    static long read(int fd, long buffer, long count) {
        return Raw.call(READ, (long) fd, buffer, count);
    }

    /** {@code ssize_t write(int fd, const void *buf, size_t count)}; -1 on any error. */
    static long write(int fd, long buffer, long count) {
        return Raw.call(WRITE, (long) fd, buffer, count);
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
            int result = (int) Raw.call(IOCTL, (long) fd, op, bytes.address());
            return result == 0 ? bytes.get(JAVA_INT, 0) : 0;
        }
    }

    /** {@code int poll(struct pollfd *fds, nfds_t nfds, int timeout)} for {@code POLLOUT}, without waiting; false on any error of the call. */
    static boolean isWritable(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            // struct pollfd: int fd; short events; short revents.
            MemorySegment pollfd = arena.allocate(8, 4);
            pollfd.set(JAVA_INT, 0, fd);
            pollfd.set(JAVA_SHORT, 4, POLLOUT);
            return (int) Raw.call(POLL, pollfd.address(), 1L, 0L) > 0;
        }
    }

    /**
     * {@code int getsockopt(int fd, int level, int optname, void *optval, socklen_t *optlen)} with {@code TCP_INFO}: the
     * {@code __u8 tcpi_state} at the start of {@code struct tcp_info}; 0 on any error.
     */
    static int tcpState(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            // The kernel fills in as much of the structure as there is room for.
            MemorySegment state = arena.allocate(Long.BYTES, Long.BYTES);
            MemorySegment length = arena.allocateFrom(JAVA_INT, Long.BYTES);
            int result =
                    (int) Raw.call(GETSOCKOPT, (long) fd, IPPROTO_TCP, TCP_INFO, state.address(), length.address());
            return result == 0 && length.get(JAVA_INT, 0) > 0 ? state.get(JAVA_BYTE, 0) : 0;
        }
    }

    /** {@code FILE *open_memstream(char **ptr, size_t *sizeloc)}; 0 on failure. */
    public static long openMemoryStream(long pointerAddress, long sizeAddress) {
        return Raw.call(OPEN_MEMSTREAM, pointerAddress, sizeAddress);
    }

    /** {@code int fclose(FILE *stream)}. */
    public static void closeStream(long stream) {
        Raw.call(FCLOSE, stream);
    }

    /**
     * {@code void *dlopen(const char *filename, int flags)}, all symbols bound at once; what {@code SymbolLookup} does
     * not give is {@link #loadError}.
     *
     * @return a handle, or 0
     */
    public static long load(String library) {
        try (Arena arena = Arena.ofConfined()) {
            return Raw.call(DLOPEN, arena.allocateFrom(library).address(), RTLD_NOW);
        }
    }

    /** {@code char *dlerror(void)}: why the last {@link #load} of this thread failed. */
    public static String loadError() {
        String error = Raw.string(Raw.call(DLERROR));
        return error == null ? "unknown error" : error;
    }

    /** {@code void *dlsym(void *handle, const char *symbol)}; 0 where there is no such symbol. */
    public static long symbol(long library, String name) {
        try (Arena arena = Arena.ofConfined()) {
            return Raw.call(DLSYM, library, arena.allocateFrom(name).address());
        }
    }

    /** {@code int dladdr(const void *addr, Dl_info *info)}: the file that holds the code at an address, or null. */
    public static String fileOf(long codeAddress) {
        try (Arena arena = Arena.ofConfined()) {
            // Dl_info: const char *dli_fname; void *dli_fbase; const char *dli_sname; void *dli_saddr.
            MemorySegment info = arena.allocate(32, 8);
            int found = (int) Raw.call(DLADDR, codeAddress, info.address());
            return found == 0 ? null : Raw.string(info.get(JAVA_LONG, 0));
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

    /**
     * Calls a function that opens a descriptor.
     *
     * @param function of {@link #handleWithErrno}, for two arguments
     */
    static int openDescriptor(String name, MethodHandle function, long first, long second) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = newErrnoState(arena);
            int fd;
            try {
                fd = (int) (long) function.invokeExact(errno, first, second);
            } catch (Throwable t) {
                throw Raw.unexpected(t);
            }
            if (fd < 0) {
                throw failure(name, errno);
            }
            return fd;
        }
    }

    /** What a call that left errno failed with. */
    static IOException failure(String what, MemorySegment errno) {
        return new IOException(what + ": " + describeErrno(errno(errno)));
    }

    /** A handle that leaves errno in a segment of {@link #newErrnoState}, its first argument. */
    static MethodHandle handleWithErrno(String name, int arguments) {
        return Raw.downcall(address(name), arguments, ERRNO);
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

    private static MethodHandle function(String name) {
        return Raw.function(address(name));
    }

    static {
        // Pointers travel as 64-bit integers: true of every platform UCX runs on, wrong elsewhere.
        if (ADDRESS.byteSize() != Long.BYTES) {
            throw new UnsupportedOperationException("needs a 64-bit platform");
        }
    }
}
