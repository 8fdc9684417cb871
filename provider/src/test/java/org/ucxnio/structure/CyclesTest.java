package org.ucxnio.structure;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Files of a package that all need each other are few: what is larger can only be read as a whole. */
class CyclesTest {
    private static final int MOST_FILES = 6;

    @Test
    void shouldKeepCyclesWithinAPackageSmall() {
        Map<String, Set<String>> needs = new HashMap<>();
        for (JavaClass each : PackageArrowsTest.mainClasses()) {
            needs.computeIfAbsent(file(each), name -> new HashSet<>()).addAll(neededBy(each));
        }
        assertThat(needs).as("files found").hasSizeGreaterThan(100);
        assertThat(cycles(closure(needs)))
                .noneSatisfy(cycle -> assertThat(cycle).hasSizeGreaterThan(MOST_FILES));
    }

    private static Set<String> neededBy(JavaClass origin) {
        Set<String> needed = new HashSet<>();
        for (Dependency each : origin.getDirectDependenciesFromSelf()) {
            JavaClass target = each.getTargetClass().getBaseComponentType();
            if (target.getPackageName().equals(origin.getPackageName())) {
                needed.add(file(target));
            }
        }
        return needed;
    }

    /** The outermost class, whose name is the file's. */
    private static String file(JavaClass inner) {
        int dollar = inner.getName().indexOf('$');
        return dollar < 0 ? inner.getName() : inner.getName().substring(0, dollar);
    }

    private static Map<String, Set<String>> closure(Map<String, Set<String>> needs) {
        Map<String, Set<String>> reached = new HashMap<>();
        needs.forEach((name, direct) -> reached.put(name, new HashSet<>(direct)));
        boolean grown = true;
        while (grown) {
            grown = false;
            for (Set<String> from : reached.values()) {
                for (String over : Set.copyOf(from)) {
                    grown |= from.addAll(reached.getOrDefault(over, Set.of()));
                }
            }
        }
        return reached;
    }

    private static Set<Set<String>> cycles(Map<String, Set<String>> reached) {
        return reached.keySet().stream()
                .filter(name -> reached.get(name).contains(name))
                .map(name -> mutual(name, reached))
                .collect(toSet());
    }

    private static Set<String> mutual(String name, Map<String, Set<String>> reached) {
        return reached.get(name).stream()
                .filter(other -> reached.get(other).contains(name))
                .collect(toCollection(TreeSet::new));
    }
}
