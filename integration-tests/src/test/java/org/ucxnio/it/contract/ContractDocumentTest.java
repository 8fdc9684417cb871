package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/contract.md} names tests that exist, and all that there are. */
class ContractDocumentTest {
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");

    private static final String THIS = "ContractDocumentTest";

    private static Set<String> named() throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher matcher = TEST.matcher(Files.readString(Path.of("..", "docs", "contract.md")));
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    private static Set<String> existing() throws IOException {
        Path directory = Path.of("src", "test", "java")
                .resolve(ContractDocumentTest.class.getPackageName().replace('.', '/'));
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Test.java"))
                    .map(name -> name.replace(".java", ""))
                    .filter(name -> !name.equals(THIS))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void shouldNameEveryTestThatExistsAndNoOther() throws IOException {
        assertThat(named()).isEqualTo(existing());
    }
}
