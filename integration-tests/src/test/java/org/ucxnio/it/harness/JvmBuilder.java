package org.ucxnio.it.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Puts a child JVM's command line together: the classes of this module, one flavour of provider, a program. */
public final class JvmBuilder {
    /** The JDK that children run on where a test names none; that of this JVM by default. */
    public static final String JAVA_PROPERTY = "ucxnio.it.children.java";

    private static final Copies PUBLIC = new Copies(Path.of(System.getProperty("java.io.tmpdir")), "ucxnio-it-public-");

    private final Flavour flavour;
    private final String mainClass;
    private final List<String> prefix = new ArrayList<>();
    private final List<String> flags = new ArrayList<>();
    private final List<Path> classPath = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private Path javaHome = Path.of(System.getProperty(JAVA_PROPERTY, System.getProperty("java.home")));
    private String name;
    private Path ownClasses = Locations.testClasses();
    private boolean forAnybody;
    private boolean defaultRendezvous;

    private JvmBuilder(Flavour flavour, String mainClass) {
        this.flavour = flavour;
        this.mainClass = mainClass;
        this.name = mainClass.substring(mainClass.lastIndexOf('.') + 1) + "-" + flavour;
    }

    public static JvmBuilder of(Flavour flavour, Class<?> program) {
        return of(flavour, program.getName());
    }

    public static JvmBuilder of(Flavour flavour, String mainClass) {
        return new JvmBuilder(flavour, mainClass);
    }

    /** The name in messages. */
    public JvmBuilder name(String value) {
        name = value;
        return this;
    }

    public JvmBuilder javaHome(Path value) {
        javaHome = value;
        return this;
    }

    /** Words before the {@code java} command, such as {@code ip netns exec}. */
    public JvmBuilder prefix(String... words) {
        prefix.addAll(List.of(words));
        return this;
    }

    /** For a JVM that runs as another user: it loads copies that everybody may read, in a folder that everybody may write to. */
    public JvmBuilder forAnybody() {
        forAnybody = true;
        return this;
    }

    /** It meets others where users' processes do by default, and not in the directory of this test JVM. */
    public JvmBuilder defaultRendezvous() {
        defaultRendezvous = true;
        return this;
    }

    public JvmBuilder flags(String... values) {
        flags.addAll(List.of(values));
        return this;
    }

    public JvmBuilder property(String key, Object value) {
        flags.add("-D" + key + "=" + value);
        return this;
    }

    /** A variable of its environment. */
    public JvmBuilder environment(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Puts these before the classes of this module. */
    public JvmBuilder classPath(List<Path> entries) {
        classPath.addAll(entries);
        return this;
    }

    /** Has the classes of this module, as far as it needs them, from there. */
    public JvmBuilder ownClasses(Path value) {
        ownClasses = value;
        return this;
    }

    public JvmBuilder arguments(Object... values) {
        for (Object value : values) {
            arguments.add(String.valueOf(value));
        }
        return this;
    }

    public ChildJvm start() throws IOException {
        Path workDirectory = Files.createTempDirectory("ucxnio-it-");
        if (forAnybody) {
            Files.setPosixFilePermissions(workDirectory, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        ProcessBuilder builder = new ProcessBuilder(commandLine());
        builder.directory(workDirectory.toFile()).redirectErrorStream(false);
        // Somebody's options or UCX settings would change what is tested.
        builder.environment()
                .keySet()
                .removeIf(key ->
                        key.startsWith("UCX_") || key.equals("JAVA_TOOL_OPTIONS") || key.equals("JDK_JAVA_OPTIONS"));
        builder.environment().putAll(environment);
        return new ChildJvm(name, builder.start(), workDirectory, javaHome);
    }

    private List<String> commandLine() {
        List<String> command = new ArrayList<>(prefix);
        command.add(javaHome.resolve("bin/java").toString());
        // Children are many, short-lived and share few cores.
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        command.add("-XX:ErrorFile=hs_err_pid%p.log");
        command.addAll(flavour.jvmFlags());
        if (flavour.isOurs() && !defaultRendezvous && !forAnybody) {
            command.add(
                    "-D" + Rendezvous.PROPERTY + "=" + Rendezvous.ofThisJvm().path());
        }
        command.addAll(flags);
        List<Path> entries = new ArrayList<>(flavour.classPath());
        // Before the provider's own: a test may bring another copy of it.
        entries.addAll(0, classPath);
        entries.add(ownClasses);
        command.add("-cp");
        command.add(entries.stream()
                .map(entry -> forAnybody ? PUBLIC.of(entry) : entry.toAbsolutePath())
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator)));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }
}
