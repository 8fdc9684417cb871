package org.ucxnio.bench.launch;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command line of one measured JVM. */
public final class JvmCommand {
    /** System property of the launcher: where the provider's JAR is. */
    public static final String PROVIDER_JAR = "bench.provider.jar";

    /** System property of the launcher: the directory of the JARs that the programs of other authors need. */
    private static final String PROGRAMS = "bench.programs";

    /** As ucxnio's agent sets it, under each name by which a program has Netty: Netty's own transports ask no selector provider. */
    private static final List<String> NETTY_ON_NIO = List.of(
            "-Dio.netty.transport.noNative=true", "-Dorg.apache.ratis.thirdparty.io.netty.transport.noNative=true");

    private static final Path TASKSET = Path.of("/usr/bin/taskset");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final int HEXADECIMAL = 16;
    private static final int CORES_0_AND_1 = 0b11;

    /** Where the Java is that runs this program. */
    public static final Path THIS_JAVA = Path.of(System.getProperty("java.home"));

    private final Provider provider;
    private final List<String> flags = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private List<String> prefix = List.of();
    private String mainClass = "";
    private int core = -1;
    private Path java = THIS_JAVA;

    public JvmCommand(Provider provider) {
        this.provider = provider;
    }

    /** Adds JVM flags. */
    public JvmCommand flags(List<String> more) {
        flags.addAll(more);
        return this;
    }

    /** The Java that it runs on; without this {@link #THIS_JAVA}. */
    public JvmCommand java(Path home) {
        java = home;
        return this;
    }

    public JvmCommand main(String name) {
        mainClass = name;
        return this;
    }

    public JvmCommand arguments(List<String> more) {
        arguments.addAll(more);
        return this;
    }

    /** Pins the JVM to one core, where {@code taskset} is there to do it; negative: not pinned. */
    public JvmCommand core(int number) {
        core = number;
        return this;
    }

    /** Words before the command, which run it elsewhere. */
    public JvmCommand prefix(List<String> words) {
        prefix = List.copyOf(words);
        return this;
    }

    /** Whether {@link #core} has an effect on this machine, for cores 0 and 1: a container may have others. */
    public static boolean canPin() {
        return Files.isExecutable(TASKSET) && hasBothCores();
    }

    private static boolean hasBothCores() {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(each -> each.startsWith("Cpus_allowed:"))
                    .map(each -> Character.digit(each.charAt(each.length() - 1), HEXADECIMAL))
                    .anyMatch(lowest -> (lowest & CORES_0_AND_1) == CORES_0_AND_1);
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    /** Words that pin a command to {@code core}; none where it is negative or nothing can be pinned. */
    static List<String> pinning(int core) {
        return core >= 0 && canPin() ? List.of(TASKSET.toString(), "-c", Integer.toString(core)) : List.of();
    }

    /** The provider's JAR, whether it exists or not. */
    public static Path providerJar() {
        return Path.of(System.getProperty(PROVIDER_JAR, "provider/target/ucxnio.jar"));
    }

    public List<String> toList() {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(pinning(core));
        command.add(java.resolve("bin/java").toString());
        command.add("-cp");
        command.add(classPath());
        command.addAll(provider.flags());
        if (Scenario.isProgram(mainClass)) {
            command.addAll(NETTY_ON_NIO);
        }
        command.addAll(flags);
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }

    private String classPath() {
        String own = System.getProperty("java.class.path");
        Stream<String> others = Scenario.isProgram(mainClass)
                ? Stream.of(own, System.getProperty(PROGRAMS, "benchmarks/target/programs") + "/*")
                : Stream.of(own);
        return Stream.concat(provider.jars().stream().map(Path::toString), others)
                .collect(Collectors.joining(File.pathSeparator));
    }
}
