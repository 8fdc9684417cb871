package org.ucxnio.it.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/security.md} names tests that exist, and all those of this package and of that about what runs out. */
class SecurityDocumentTest {
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");

    private static final List<String> MODULES = List.of("ucx-backend", "provider", "integration-tests");

    private static Set<String> named() throws IOException {
        return TEST.matcher(Files.readString(Path.of("..", "docs", "security.md")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> existing(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Test.java"))
                    .map(name -> name.replace(".java", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void shouldNameNoTestThatDoesNotExist() throws IOException {
        Set<String> all = new TreeSet<>();
        for (String module : MODULES) {
            all.addAll(existing(Path.of("..", module, "src", "test", "java")));
        }
        assertThat(all).containsAll(named());
    }

    @Test
    void shouldNameEveryTestOfBothPackages() throws IOException {
        Path security = Path.of("src", "test", "java")
                .resolve(getClass().getPackageName().replace('.', '/'));
        Set<String> tests = existing(security);
        tests.addAll(existing(security.resolveSibling("exhaustion")));
        tests.remove(getClass().getSimpleName());
        assertThat(named()).containsAll(tests);
    }
}
