package org.ucxnio.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The methods that are to be compiled for themselves, as the compiler of this project makes them. */
class OutOfLineTest {
    /** HotSpot's {@code FreqInlineSize}. */
    private static final int LONGEST_INLINED_BYTES = 325;

    private static final int LAST_CASE = 76;

    private static final List<String> METHODS = List.of(
            "Readiness.takeKernelReady",
            "KernelSide.selectNow",
            "Sleep.inKernel",
            "UcxSelector.doSelect",
            "UcxSelector.onKernelReady",
            "UcxSelector.round",
            "UcxSelector.sleepUntilFound",
            "UcxSelector.takeQueued",
            "UcxSocketChannel.read",
            "UcxSocketChannel.readLocked",
            "UcxSocketChannel.write",
            "UcxSocketChannel.writeLocked");

    private static boolean isTable(CodeElement element) {
        return element instanceof TableSwitchInstruction table
                && table.lowValue() == OutOfLine.HERE
                && table.highValue() == LAST_CASE;
    }

    private static Stream<ClassModel> classes() throws IOException, URISyntaxException {
        Path root = Path.of(OutOfLine.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.walk(root.resolve("org/ucxnio"))) {
            return files.filter(file -> file.toString().endsWith(".class")).toList().stream()
                    .map(OutOfLineTest::parse);
        }
    }

    private static ClassModel parse(Path file) {
        try {
            return ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String name(MethodModel method) {
        String type = method.parent().orElseThrow().thisClass().asInternalName();
        return type.substring(type.lastIndexOf('/') + 1) + "." + method.methodName();
    }

    @Test
    void shouldBeLongerThanWhatIsInlined() throws IOException, URISyntaxException {
        TreeMap<String, Integer> lengths = new TreeMap<>();
        classes()
                .flatMap(type -> type.methods().stream())
                .filter(method -> method.code().stream()
                        .flatMap(code -> code.elementStream())
                        .anyMatch(OutOfLineTest::isTable))
                .forEach(method ->
                        lengths.put(name(method), ((CodeAttribute) method.code().orElseThrow()).codeLength()));
        assertThat(lengths.keySet()).containsExactlyInAnyOrderElementsOf(METHODS);
        assertThat(lengths).allSatisfy((method, bytes) -> assertThat(bytes).isGreaterThan(LONGEST_INLINED_BYTES));
    }
}
