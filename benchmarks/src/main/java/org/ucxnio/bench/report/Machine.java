package org.ucxnio.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The machine that a run was on, as Linux describes it. */
public final class Machine {
    private static final long KIB_PER_GIB = 1024 * 1024;

    private Machine() {}

    /**
     * Describes this machine.
     *
     * @param java the Java that was measured
     */
    public static Map<String, String> describe(Path java) {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("processor", field(Path.of("/proc/cpuinfo"), "model name", "unknown"));
        words.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        String memory = field(Path.of("/proc/meminfo"), "MemTotal", "0 kB").replaceAll("[^0-9]", "");
        words.put("memory", Math.round((double) Long.parseLong(memory) / KIB_PER_GIB) + " GiB");
        words.put(
                "system",
                property(Path.of("/etc/os-release"), "PRETTY_NAME") + ", Linux " + System.getProperty("os.version"));
        words.put(
                "Java",
                property(java.resolve("release"), "IMPLEMENTOR")
                        + ' '
                        + property(java.resolve("release"), "JAVA_RUNTIME_VERSION"));
        return words;
    }

    private static String field(Path file, String name, String otherwise) {
        return lines(file).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(otherwise);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    private static String property(Path file, String name) {
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException e) {
            return "unknown";
        }
        return properties.getProperty(name, "unknown").replace("\"", "");
    }
}
