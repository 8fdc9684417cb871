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

/** {@code docs/security.md} names tests that exist, and all those of this package. */
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
    void shouldNameEveryTestOfThisPackage() throws IOException {
        Set<String> here = existing(Path.of("src", "test", "java")
                .resolve(getClass().getPackageName().replace('.', '/')));
        here.remove(getClass().getSimpleName());
        assertThat(named()).containsAll(here);
    }
}
