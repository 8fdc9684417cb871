package org.ucxnio.jdk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the control groups of this process, and those around them, have in their files, of version 1 or 2. For one thread at a time. */
public final class ControlGroups {
    private static final String MOUNT = "sys/fs/cgroup";

    /** Fields of a line of {@code /proc/self/cgroup}: hierarchy, controllers, path. */
    private static final int FIELDS = 3;

    private final List<String> folders = new ArrayList<>();
    private final Path root;

    /**
     * Those that limit one thing.
     *
     * @param root of the file system, {@code /} but in tests
     * @param controller such as {@code memory}
     */
    public ControlGroups(Path root, String controller) {
        this.root = root;
        String first = MOUNT + "/" + controller;
        // In a container the groups are often mounted at the root while their paths are those of the host.
        folders.add(MOUNT);
        folders.add(first);
        for (String line : lines(root.resolve("proc/self/cgroup"))) {
            String[] fields = line.split(":", FIELDS);
            if (fields.length == FIELDS && fields[1].isEmpty()) {
                addAll(MOUNT, fields[2]);
            } else if (fields.length == FIELDS && List.of(fields[1].split(",")).contains(controller)) {
                addAll(first, fields[2]);
            }
        }
    }

    private void addAll(String mount, String group) {
        for (String path = group; path.length() > 1; path = path.substring(0, path.lastIndexOf('/'))) {
            folders.add(mount + path);
        }
    }

    /** The first line of a file in each of these groups that has it, without blanks around. */
    public List<String> values(String file) {
        List<String> values = new ArrayList<>();
        for (String folder : folders) {
            List<String> lines = lines(root.resolve(folder).resolve(file));
            if (!lines.isEmpty()) {
                values.add(lines.get(0).strip());
            }
        }
        return values;
    }

    /** All lines of a file; none where it cannot be read. */
    public static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException | RuntimeException e) {
            return List.of();
        }
    }
}
