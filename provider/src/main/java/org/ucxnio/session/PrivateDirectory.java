package org.ucxnio.session;

import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ucxnio.memory.SlabFiles;

/**
 * A directory that this user made and no other user can look into, in a place where others may make what they like, such as {@code
 * /tmp} or {@code /dev/shm}.
 *
 * <ul>
 *   <li>It is entered through a handle, without following a link. Its owner must be the effective user of this process and its rights
 *       {@code rwx------}; both are those of the open handle. All that is done to its entries goes through the handle, so that what
 *       another directory of that name holds is never touched.
 *   <li>The directory that holds it belongs to root or to this user, and others may not write to it, or it is sticky. Nobody else can
 *       exchange the directory then, so that {@link #path} leads to it as well, which the address of a Unix-domain socket needs. How
 *       the path leads to the holding directory is up to the one who chose it.
 *   <li>The holding directory is never listed: it may have any number of entries.
 *   <li>A user number that stands for several users ({@link UserIds}) is nobody's.
 * </ul>
 *
 * <p>Thread-safe. Holds descriptors until it is closed.
 */
public final class PrivateDirectory implements SlabFiles, AutoCloseable {
    // st_mode of struct stat
    private static final int TYPE = 0170000;
    private static final int TYPE_SOCKET = 0140000;
    private static final int TYPE_LINK = 0120000;
    private static final int TYPE_DIRECTORY = 0040000;
    private static final int STICKY = 01000;
    private static final int RIGHTS = 0777;
    private static final int OTHERS_WRITE = 0022;
    private static final int OWNER_ALONE = 0700;

    private static final int ROOT = 0;

    private static final FileAttribute<Set<PosixFilePermission>> NEW_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<Set<PosixFilePermission>> NEW_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** What the kernel tells of a file: its identity, its owner's number, type and rights. */
    private record Status(Object fileKey, int user, int mode) {
        static Status of(Path path) throws IOException {
            Map<String, Object> values = Files.readAttributes(path, "unix:fileKey,uid,mode", LinkOption.NOFOLLOW_LINKS);
            return new Status(values.get("fileKey"), (int) values.get("uid"), (int) values.get("mode"));
        }

        /** That of an open directory: {@code path} must still lead to it, and while it is open no other file has its identity. */
        static Status of(SecureDirectoryStream<Path> handle, Path path) throws IOException {
            Status status = of(path);
            Object open = handle.getFileAttributeView(PosixFileAttributeView.class)
                    .readAttributes()
                    .fileKey();
            if (!status.fileKey.equals(open)) {
                throw new IOException(path + " was exchanged while it was opened");
            }
            return status;
        }

        int type() {
            return mode & TYPE;
        }
    }

    private final Path path;
    private final int user;
    private final Object lock = new Object();

    // -- guarded by lock --

    private final SecureDirectoryStream<Path> handle;

    // -- end --

    private PrivateDirectory(Path path, int user, SecureDirectoryStream<Path> handle) {
        this.path = path;
        this.user = user;
        this.handle = handle;
    }

    /**
     * Opens one.
     *
     * @param create makes it where there is none
     * @throws IOException with one line that names the path and what is wrong with it
     */
    public static PrivateDirectory open(Path path, boolean create) throws IOException {
        return open(path, create, UserIds.ofThisProcess());
    }

    static PrivateDirectory open(Path path, boolean create, UserIds users) throws IOException {
        Path absolute = path.toAbsolutePath().normalize();
        if (absolute.getParent() == null) {
            throw new IOException(absolute + " is no directory of one user");
        }
        try {
            int user = users.effective();
            if (!users.standsForOneUser(user)) {
                throw new IOException(
                        absolute + " cannot be told from other users': the number of this process's user, "
                                + Integer.toUnsignedString(user) + ", stands for several users");
            }
            return open(absolute.getParent().toRealPath(), absolute.getFileName(), create, user, users);
        } catch (FileSystemException e) {
            throw explained(e);
        }
    }

    private static PrivateDirectory open(Path parent, Path name, boolean create, int user, UserIds users)
            throws IOException {
        Path path = parent.resolve(name);
        try (SecureDirectoryStream<Path> above = secure(Files.newDirectoryStream(parent), parent)) {
            checkHolder(parent, Status.of(above, parent), user, users);
            if (create) {
                make(path);
            }
            // Before it is opened as well: to open another user's FIFO would take as long as that user likes.
            check(path, Status.of(path), user);
            SecureDirectoryStream<Path> handle = above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
            try {
                check(path, Status.of(handle, path), user);
                return new PrivateDirectory(path, user, handle);
            } catch (IOException | RuntimeException e) {
                handle.close();
                throw e;
            }
        }
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream, Path path) throws IOException {
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        stream.close();
        throw new IOException(path + " is in a file system without handles of directories");
    }

    private static void make(Path path) throws IOException {
        try {
            Files.createDirectory(path, NEW_DIRECTORY);
        } catch (FileAlreadyExistsException e) {
            // What it is comes out when it is opened.
        }
    }

    private static void checkHolder(Path parent, Status status, int user, UserIds users) throws IOException {
        boolean roots = status.user == ROOT && users.standsForOneUser(ROOT);
        if (!roots && status.user != user) {
            throw new IOException(parent + " belongs to user " + Integer.toUnsignedString(status.user)
                    + ", neither to root nor to user " + Integer.toUnsignedString(user));
        }
        if ((status.mode & OTHERS_WRITE) != 0 && (status.mode & STICKY) == 0) {
            throw new IOException(parent + " can be written to by other users and is not sticky");
        }
    }

    private static void check(Path path, Status status, int user) throws IOException {
        if (status.type() != TYPE_DIRECTORY) {
            throw new IOException(path + (status.type() == TYPE_LINK ? " is a link" : " is not a directory"));
        }
        if (status.user != user) {
            throw new IOException(path + " belongs to user " + Integer.toUnsignedString(status.user) + ", not to user "
                    + Integer.toUnsignedString(user));
        }
        if ((status.mode & RIGHTS) != OWNER_ALONE) {
            throw new IOException(path + " has the rights " + Integer.toOctalString(status.mode & RIGHTS) + ", not "
                    + Integer.toOctalString(OWNER_ALONE));
        }
    }

    private static IOException explained(FileSystemException e) {
        String reason = e.getReason();
        if (e instanceof NoSuchFileException) {
            reason = "there is no such directory";
        } else if (e instanceof AccessDeniedException) {
            reason = "permission denied";
        }
        return new IOException(e.getFile() + ": " + reason, e);
    }

    /** Where it is: for addresses of sockets and for messages. */
    public Path path() {
        return path;
    }

    /** The names of its entries, as they are now. */
    public List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        synchronized (lock) {
            // A stream lists once.
            try (DirectoryStream<Path> entries = handle.newDirectoryStream(Path.of("."), LinkOption.NOFOLLOW_LINKS)) {
                for (Path entry : entries) {
                    names.add(entry.getFileName().toString());
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
        }
        return names;
    }

    /** What the kernel tells of an entry; of a link itself, not of where it leads. */
    public PosixFileAttributes attributes(String name) throws IOException {
        synchronized (lock) {
            return handle.getFileAttributeView(plain(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
        }
    }

    /** Whether an entry is a Unix-domain socket of this user. */
    public boolean isSocket(String name) throws IOException {
        try {
            Object fileKey = attributes(name).fileKey();
            Status status = Status.of(path.resolve(name));
            return status.fileKey.equals(fileKey) && status.user == user && status.type() == TYPE_SOCKET;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /**
     * Opens a file in it; a new one is its owner's alone.
     *
     * @throws IOException also where the entry is a link
     */
    @Override
    public FileChannel open(String name, Set<? extends OpenOption> options) throws IOException {
        Set<OpenOption> all = new HashSet<>(options);
        all.add(LinkOption.NOFOLLOW_LINKS);
        ByteChannel channel;
        synchronized (lock) {
            channel = handle.newByteChannel(plain(name), all, NEW_FILE);
        }
        if (channel instanceof FileChannel file) {
            return file;
        }
        channel.close();
        throw new IOException(path.resolve(name) + " is in a file system without file channels");
    }

    /** Gives an entry another name; what had that name is gone. */
    public void move(String from, String to) throws IOException {
        synchronized (lock) {
            handle.move(plain(from), handle, plain(to));
        }
    }

    /** Deletes an entry that is no directory; returns whether there was one. */
    @Override
    public boolean delete(String name) throws IOException {
        Path plain = plain(name);
        synchronized (lock) {
            try {
                handle.deleteFile(plain);
                return true;
            } catch (NoSuchFileException e) {
                return false;
            }
        }
    }

    private static Path plain(String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("Not a plain name: " + name);
        }
        return Path.of(name);
    }

    @Override
    public void close() throws IOException {
        synchronized (lock) {
            handle.close();
        }
    }
}
