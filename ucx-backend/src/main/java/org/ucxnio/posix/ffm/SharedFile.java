package org.ucxnio.posix.ffm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Memory that processes share: a file without a name ({@code memfd_create(2)}), which another process of the same user opens through
 * {@code /proc}. Its rights keep other users out. Its size is sealed, so that no access to it can fail later, and it ends with a random
 * token, so that a process number that now names another process is noticed. It does not count against {@code /dev/shm}, and nothing is left of it when the processes
 * that have it mapped are gone.
 *
 * <p>UCX could map memory of a peer as well ({@code ucp_rkey_ptr}), but 1.13.1 ends the process with a null pointer in {@code
 * uct_posix_rkey_release} when the peer has died by then.
 */
@SuppressWarnings("restricted")
public final class SharedFile {
    /** What another process needs to open it: {@code process:8 descriptor:4 size:4 token:16}, in native byte order. */
    public static final int KEY_BYTES = 32;

    private static final int TOKEN_BYTES = 16;
    private static final int MFD_CLOEXEC_ALLOW_SEALING = 3;
    private static final int OWNER_READS_AND_WRITES = 0600;
    private static final int F_ADD_SEALS = 1033;
    private static final int F_GET_SEALS = 1034;
    private static final int F_SEAL_SHRINK = 2;
    private static final int SEAL_SIZE_FOR_GOOD = 1 | F_SEAL_SHRINK | 4;
    private static final int O_RDWR_CLOEXEC_NONBLOCK = 2 | 0x80000 | 0x800;
    private static final int SEEK_END = 2;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;

    // int memfd_create(const char *name, unsigned int flags)
    private static final MethodHandle MEMFD_CREATE = LibC.handleWithErrno("memfd_create", 2);

    // int fchmod(int fd, mode_t mode)
    private static final MethodHandle FCHMOD = LibC.handleWithErrno("fchmod", 2);

    // int ftruncate(int fd, off_t length)
    private static final MethodHandle FTRUNCATE = LibC.handleWithErrno("ftruncate", 2);

    // int posix_fallocate(int fd, off_t offset, off_t len), which returns what others leave in errno
    private static final MethodHandle FALLOCATE = LibC.handleWithErrno("posix_fallocate", 3);

    // off_t lseek(int fd, off_t offset, int whence)
    private static final MethodHandle LSEEK = LibC.handleWithErrno("lseek", 3);

    // void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
    private static final MethodHandle MMAP = LibC.handleWithErrno("mmap", 6);

    // int open(const char *pathname, int flags, ...)
    private static final MethodHandle OPEN = LibC.variadicWithErrno("open", 2, 2);

    // int fcntl(int fd, int cmd, ...)
    private static final MethodHandle FCNTL = LibC.variadicWithErrno("fcntl", 2, 3);

    private static final SecureRandom RANDOM = new SecureRandom();

    private final int fd;
    private final long address;
    private final long mappedBytes;
    private final byte[] key;

    private SharedFile(int fd, long address, long mappedBytes, byte[] key) {
        this.fd = fd;
        this.address = address;
        this.mappedBytes = mappedBytes;
        this.key = key;
    }

    private static long total(int sizeBytes) {
        return (sizeBytes + 7L & -8) + TOKEN_BYTES;
    }

    /** Creates zeroed memory of {@code sizeBytes}, all of it allocated. */
    public static SharedFile create(int sizeBytes) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = LibC.newErrnoState(arena);
            int fd = (int) (long) MEMFD_CREATE.invokeExact(
                    errno, arena.allocateFrom("ucxnio").address(), (long) MFD_CLOEXEC_ALLOW_SEALING);
            if (fd < 0) {
                throw failure("memfd_create", errno);
            }
            try {
                return create(fd, sizeBytes, errno);
            } catch (IOException e) {
                LibC.close(fd);
                throw e;
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    private static SharedFile create(int fd, int sizeBytes, MemorySegment errno) throws Throwable {
        long total = total(sizeBytes);
        // memfd_create gives every right to every user.
        if ((int) (long) FCHMOD.invokeExact(errno, (long) fd, (long) OWNER_READS_AND_WRITES) != 0) {
            throw failure("fchmod", errno);
        }
        if ((int) (long) FTRUNCATE.invokeExact(errno, (long) fd, total) != 0) {
            throw failure("ftruncate", errno);
        }
        int status = (int) (long) FALLOCATE.invokeExact(errno, (long) fd, 0L, total);
        if (status != 0) {
            throw new IOException("posix_fallocate of " + total + " bytes: " + LibC.describeErrno(status));
        }
        if ((int) (long) FCNTL.invokeExact(errno, (long) fd, (long) F_ADD_SEALS, (long) SEAL_SIZE_FOR_GOOD) != 0) {
            throw failure("sealing", errno);
        }
        long address = map(fd, total, errno);
        byte[] token = new byte[TOKEN_BYTES];
        RANDOM.nextBytes(token);
        Raw.put(address + total - TOKEN_BYTES, token);
        byte[] key = ByteBuffer.allocate(KEY_BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(ProcessHandle.current().pid())
                .putInt(fd)
                .putInt(sizeBytes)
                .put(token)
                .array();
        return new SharedFile(fd, address, total, key);
    }

    private static long map(int fd, long length, MemorySegment errno) throws Throwable {
        long address =
                (long) MMAP.invokeExact(errno, 0L, length, (long) PROT_READ_WRITE, (long) MAP_SHARED, (long) fd, 0L);
        if (address == -1) {
            throw failure("mmap of " + length + " bytes", errno);
        }
        return address;
    }

    /**
     * Maps the memory that another process created.
     *
     * @param key its {@link #key}; anything else is refused
     * @throws IOException where there is no such memory, or no longer
     */
    public static SharedFile open(byte[] key, int sizeBytes) throws IOException {
        if (key.length != KEY_BYTES) {
            throw new IOException("A key of " + key.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(key).order(ByteOrder.nativeOrder());
        String path = "/proc/" + in.getLong() + "/fd/" + in.getInt();
        if (in.getInt() != sizeBytes) {
            throw new IOException("The shared memory has another size");
        }
        byte[] token = new byte[TOKEN_BYTES];
        in.get(token);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = LibC.newErrnoState(arena);
            int fd = (int)
                    (long) OPEN.invokeExact(errno, arena.allocateFrom(path).address(), (long) O_RDWR_CLOEXEC_NONBLOCK);
            if (fd < 0) {
                throw failure("open of " + path, errno);
            }
            try {
                return open(fd, sizeBytes, token, errno);
            } finally {
                LibC.close(fd);
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    private static SharedFile open(int fd, int sizeBytes, byte[] token, MemorySegment errno) throws Throwable {
        long total = total(sizeBytes);
        int seals = (int) (long) FCNTL.invokeExact(errno, (long) fd, (long) F_GET_SEALS, 0L);
        // What can shrink could end this process with SIGBUS.
        if (seals < 0
                || (seals & F_SEAL_SHRINK) == 0
                || (long) LSEEK.invokeExact(errno, (long) fd, 0L, (long) SEEK_END) != total) {
            throw new IOException("What the peer offers is no sealed memory of " + sizeBytes + " bytes");
        }
        long address = map(fd, total, errno);
        if (!Arrays.equals(token, Raw.bytes(address + total - TOKEN_BYTES, TOKEN_BYTES))) {
            LibC.unmap(address, total);
            throw new IOException("The process that offered the memory is gone");
        }
        return new SharedFile(-1, address, total, null);
    }

    private static IOException failure(String what, MemorySegment errno) {
        return new IOException(what + ": " + LibC.describeErrno(LibC.errno(errno)));
    }

    public long address() {
        return address;
    }

    /** What {@link #open} needs; null where the memory is another process's. */
    public byte[] key() {
        return key.clone();
    }

    /** Ends the mapping, once; nobody uses the memory any more. */
    public void close() {
        LibC.unmap(address, mappedBytes);
        if (fd >= 0) {
            LibC.close(fd);
        }
    }
}
