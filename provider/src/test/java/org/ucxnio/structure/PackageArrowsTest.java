package org.ucxnio.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Imports point one way: root, then channel and selector. A channel's bytes are a stream's, which stands on link; transport and ring are
 * what carries links. Session stands on link and memory, memory on ring. Loop, jdk, config, counters and events serve all.
 */
class PackageArrowsTest {
    private static final String ROOT = "org.ucxnio";
    private static final String BACKEND = "org.ucxnio.ucx";
    private static final String POSIX = "org.ucxnio.posix";
    private static final String LIBRARY = "org.ucxnio.ucx.library";

    /** What each package may import of ours. A package that is not here must not exist. */
    private static final Map<String, Set<String>> ALLOWED = Map.ofEntries(
            entry(
                    ROOT,
                    own(
                            "channel",
                            "selector",
                            "transport",
                            "session",
                            "loop",
                            "jdk",
                            "config",
                            "counters",
                            "ucx",
                            "posix")),
            entry(
                    "org.ucxnio.channel",
                    own(
                            "selector",
                            "transport",
                            "stream",
                            "link",
                            "session",
                            "ring",
                            "loop",
                            "jdk",
                            "config",
                            "counters",
                            "events",
                            "ucx",
                            "posix")),
            entry("org.ucxnio.agent", own("jdk", "config", "counters")),
            entry("org.ucxnio.selector", own("transport", "link", "loop", "jdk", "config", "counters", "ucx", "posix")),
            entry("org.ucxnio.transport", own("link", "loop", "jdk", "config", "counters", "ucx", "posix")),
            entry("org.ucxnio.loop", own("jdk", "config", "counters")),
            entry("org.ucxnio.jdk", own("counters", "posix")),
            entry("org.ucxnio.ring", own("jdk")),
            entry("org.ucxnio.stream", own("link")),
            entry("org.ucxnio.link", own("ring", "jdk", "counters", "posix")),
            entry("org.ucxnio.memory", own("ring", "jdk")),
            entry("org.ucxnio.session", own("memory", "link", "ring", "jdk", "config", "counters")),
            entry("org.ucxnio.config", Set.of()),
            entry("org.ucxnio.counters", Set.of()),
            entry("org.ucxnio.events", Set.of()),
            entry(BACKEND, Set.of()),
            entry(LIBRARY, own("ucx")),
            entry(POSIX, Set.of()));

    /** Found at run time only; each may use the two contracts, and the UCX one the other's system calls. */
    private static final Set<String> IMPLEMENTATIONS =
            Set.of("org.ucxnio.ucx.ffm", "org.ucxnio.posix.ffm", "org.ucxnio.ucx.jucx", "org.ucxnio.posix.jna");

    private static JavaClasses ours;

    @BeforeAll
    static void readClasses() {
        ours = mainClasses();
    }

    /** All that is shipped. */
    static JavaClasses mainClasses() {
        ImportOption notTheFake =
                location -> !location.contains("/org/ucxnio/ucx/fake/") && !location.contains("/org/ucxnio/testing/");
        JavaClasses all = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(notTheFake)
                .importPackages(ROOT);
        assertThat(all).as("classes found").isNotEmpty();
        return all;
    }

    @Test
    void shouldKnowEveryPackage() {
        Set<String> known = new TreeSet<>(ALLOWED.keySet());
        known.addAll(IMPLEMENTATIONS);
        Set<String> found = ours.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
        assertThat(known).containsAll(found);
    }

    @ParameterizedTest
    @MethodSource("packages")
    void shouldImportOnlyDownwards(String name) {
        List<String> against = new ArrayList<>();
        for (JavaClass origin : ours) {
            if (origin.getPackageName().equals(name)) {
                origin.getDirectDependenciesFromSelf().stream()
                        .filter(d -> !mayImport(name, d.getTargetClass().getBaseComponentType()))
                        .forEach(d -> against.add(d.getDescription()));
            }
        }
        assertThat(against).isEmpty();
    }

    static Stream<String> packages() {
        return ALLOWED.keySet().stream().sorted();
    }

    private static boolean mayImport(String from, JavaClass target) {
        String to = target.getPackageName();
        boolean isOurs = to.equals(ROOT) || to.startsWith(ROOT + ".");
        return !isOurs || to.equals(from) || ALLOWED.get(from).contains(to);
    }

    @Test
    void shouldFindImplementationsAtRunTimeOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackages("org.ucxnio..ffm..", "org.ucxnio..jucx..", "org.ucxnio..jna..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.ucxnio..ffm..", "org.ucxnio..jucx..", "org.ucxnio..jna..")
                .check(ours);
    }

    @Test
    void shouldBuildImplementationsOnTheContractsAlone() {
        classes()
                .that()
                .resideInAPackage("org.ucxnio..ffm..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        BACKEND,
                        POSIX,
                        LIBRARY,
                        "org.ucxnio.ucx.ffm",
                        "org.ucxnio.posix.ffm",
                        "java..",
                        "jdk.internal.access")
                .check(ours);
        classes()
                .that()
                .resideInAPackage("org.ucxnio..jucx..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        BACKEND,
                        LIBRARY,
                        "org.ucxnio.ucx.jucx",
                        "org.ucxnio.posix.jna",
                        "org.openucx.jucx..",
                        "com.sun.jna",
                        "java..")
                .check(ours);
        classes()
                .that()
                .resideInAPackage("org.ucxnio..jna..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(POSIX, "org.ucxnio.posix.jna", "com.sun.jna", "java..")
                .check(ours);
    }

    @Test
    void shouldDragNothingIntoAnApplication() {
        classes()
                .that()
                .resideInAPackage("org.ucxnio..")
                // Found at run time, where users have put what they need beside the JAR.
                .and()
                .resideOutsideOfPackages("org.ucxnio..jucx..", "org.ucxnio..jna..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "org.ucxnio..",
                        "java.io",
                        "java.lang..",
                        "java.math",
                        "java.net..",
                        "java.nio..",
                        "java.security..",
                        "java.text",
                        "java.time..",
                        "java.util",
                        "java.util.concurrent..",
                        "java.util.function",
                        "java.util.regex",
                        "java.util.stream",
                        "javax.crypto..",
                        "jdk.internal.access",
                        "jdk.jfr",
                        "jdk.net",
                        // Inside the JAR, under a name of ours.
                        "org.objectweb.asm",
                        "sun.nio.ch",
                        "sun.reflect")
                .because(
                        "a drop-in needs java.base; without jdk.net connections stay plain, without sun.reflect"
                                + " the platform's provider is found in another way, and packages of java.base's own are exported first")
                .check(ours);
    }

    private static Set<String> own(String... names) {
        return Stream.of(names).map(name -> ROOT + "." + name).collect(Collectors.toSet());
    }
}
