package org.ucxnio.memory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/** Slabs in a plain folder. */
final class FolderOfSlabs implements SlabFiles {
    private final Path folder;

    FolderOfSlabs(Path folder) {
        this.folder = folder;
    }

    Path path(String name) {
        return folder.resolve(name);
    }

    @Override
    public FileChannel open(String name, Set<? extends OpenOption> options) throws IOException {
        Set<OpenOption> all = new HashSet<>(options);
        all.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(path(name), all);
    }

    @Override
    public boolean delete(String name) throws IOException {
        return Files.deleteIfExists(path(name));
    }

    Set<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            Set<String> names = new HashSet<>();
            files.forEach(file -> names.add(file.getFileName().toString()));
            return names;
        }
    }
}
