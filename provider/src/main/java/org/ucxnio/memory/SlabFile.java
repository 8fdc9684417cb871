package org.ucxnio.memory;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.util.Set;
import org.ucxnio.jdk.FileMaps;
import org.ucxnio.ring.Block;

/** Makes slabs and maps them. None of its files stays open. */
final class SlabFile {
    /** No slab is larger. */
    static final int MAX_BYTES = Block.MAX_BYTES;

    private static final int ZEROS_BYTES = 64 << 10;

    private SlabFile() {}

    /**
     * Makes a file, all of it there and zero, and maps it.
     *
     * @throws IOException where there is no memory for all of it; then there is no file either
     */
    static ByteBuffer make(SlabFiles files, String name, int bytes) throws IOException {
        return Uninterrupted.call(() -> makeOnce(files, name, bytes));
    }

    private static ByteBuffer makeOnce(SlabFiles files, String name, int bytes) throws IOException {
        try (FileChannel file = files.open(name, Set.of(CREATE_NEW, READ, WRITE))) {
            // Written, not only made longer: where memory is short that is an error here, and not a fault at some later
            // access.
            ByteBuffer zeros = ByteBuffer.allocate(Math.min(bytes, ZEROS_BYTES));
            for (long at = 0; at < bytes; at += file.write(zeros, at)) {
                zeros.position(0).limit((int) Math.min(zeros.capacity(), bytes - at));
            }
            return FileMaps.map(file, bytes);
        } catch (IOException | RuntimeException | Error e) {
            files.delete(name);
            throw e;
        }
    }

    /**
     * Maps a slab that the peer made, as long as its file is.
     *
     * @throws IOException where there is none, or it is not like a slab
     */
    static ByteBuffer map(SlabFiles files, String name) throws IOException {
        return Uninterrupted.call(() -> mapOnce(files, name));
    }

    private static ByteBuffer mapOnce(SlabFiles files, String name) throws IOException {
        try (FileChannel file = files.open(name, Set.of(READ, WRITE))) {
            long bytes = file.size();
            if (bytes <= 0 || bytes > MAX_BYTES || bytes % Block.MIN_BYTES != 0) {
                throw new IOException("the peer's slab " + name + " has " + bytes + " bytes");
            }
            return FileMaps.map(file, bytes);
        } catch (NoSuchFileException e) {
            throw new IOException("the peer has no slab " + name, e);
        }
    }
}
