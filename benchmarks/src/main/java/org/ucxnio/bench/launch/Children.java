package org.ucxnio.bench.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Every process and every temporary file of this launcher; all gone when it ends, also on Ctrl-C. */
public final class Children implements AutoCloseable {
    private final Set<Child> running = ConcurrentHashMap.newKeySet();
    private final Path directory;
    private final Thread hook = new Thread(this::killAll, "cleanup");

    public Children() throws LaunchException {
        try {
            directory = Files.createTempDirectory("ucxnio-bench-");
        } catch (IOException e) {
            throw new LaunchException("no temporary directory: " + e.getMessage(), e);
        }
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Where temporary files go. */
    public Path directory() {
        return directory;
    }

    /** A new directory for what one run of a benchmark writes. */
    Path newDirectory() throws LaunchException {
        try {
            return Files.createTempDirectory(directory, "run-");
        } catch (IOException e) {
            throw new LaunchException("no temporary directory: " + e.getMessage(), e);
        }
    }

    /** Starts a process that ends with this launcher at the latest. */
    public Child start(String name, JvmCommand command, Consumer<String> progress) throws LaunchException {
        return start(name, command.toList(), progress);
    }

    /** The same with any other program. */
    Child start(String name, List<String> command, Consumer<String> progress) throws LaunchException {
        Child child = Child.start(name, command, directory, progress);
        running.add(child);
        return child;
    }

    /** Ends {@code children}, one after another. */
    public void stop(List<Child> children) {
        for (Child child : children) {
            child.close();
            running.remove(child);
        }
    }

    @Override
    public void close() {
        stop(List.copyOf(running));
        removeAll();
        Runtime.getRuntime().removeShutdownHook(hook);
    }

    private void killAll() {
        running.forEach(Child::kill);
        // Not before they are gone, or they put new files where the old ones were.
        running.forEach(Child::awaitEnd);
        removeAll();
    }

    /** Removes the directory, and what a process that was killed has left in shared memory under names that begin with its name. */
    private void removeAll() {
        removeFiles(directory);
        String name = directory.getFileName().toString();
        try (DirectoryStream<Path> left = Files.newDirectoryStream(Provider.SHARED_MEMORY, name + "*")) {
            left.forEach(Children::removeFiles);
        } catch (IOException e) {
            System.err.println("cannot look for what is left in shared memory: " + e.getMessage());
        }
    }

    /** Removes a directory and all that is in it. */
    static void removeFiles(Path tree) {
        try (Stream<Path> files = Files.walk(tree)) {
            files.sorted(Comparator.reverseOrder()).forEach(Children::remove);
        } catch (IOException | UncheckedIOException e) {
            System.err.println("left behind: " + tree + ": " + e.getMessage());
        }
    }

    private static void remove(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
