package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/contract.md} names tests that exist, and all that there are. */
class ContractDocumentTest {
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");

    private static final String THIS = "ContractDocumentTest";

    /** What connections do, and what they do while they move to rings. */
    private static final List<String> PACKAGES = List.of("contract", "moving");

    private static Set<String> named() throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher matcher = TEST.matcher(Files.readString(Path.of("..", "docs", "contract.md")));
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    private static Set<String> existing() throws IOException {
        Path packages = Path.of("src", "test", "java", "org", "ucxnio", "it");
        Set<String> names = new TreeSet<>();
        for (String name : PACKAGES) {
            try (Stream<Path> files = Files.list(packages.resolve(name))) {
                files.map(file -> file.getFileName().toString())
                        .filter(file -> file.endsWith("Test.java"))
                        .map(file -> file.replace(".java", ""))
                        .forEach(names::add);
            }
        }
        names.remove(THIS);
        return names;
    }

    @Test
    void shouldNameEveryTestThatExistsAndNoOther() throws IOException {
        assertThat(named()).isEqualTo(existing());
    }
}
