package org.ucxnio.memory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.util.Set;

/** The directory that slabs are files of. Thread-safe. */
public interface SlabFiles {

    /**
     * Opens a file; a new one is its owner's alone.
     *
     * @throws IOException also where the entry is a link
     */
    FileChannel open(String name, Set<? extends OpenOption> options) throws IOException;

    /** Deletes a file; returns whether there was one. */
    boolean delete(String name) throws IOException;
}
