package org.ucxnio.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.testing.ChildJvm;

/** The methods that are to be compiled for themselves, as the compiler of this project makes them. */
@Timeout(60)
class OutOfLineTest {
    /** HotSpot's {@code FreqInlineSize}. */
    private static final int LONGEST_INLINED_BYTES = 325;

    private static final int LAST_CASE = 76;

    private static final List<String> METHODS = List.of(
            "Readiness.armRings",
            "Readiness.disarmRings",
            "Readiness.readyInRings",
            "Readiness.takeKernelReady",
            "KernelSide.look",
            "KernelSide.sleep",
            "StreamReader.readAlone",
            "StreamReader.readAtOnce",
            "StreamWriter.writeAlone",
            "StreamWriter.writeAtOnce",
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

    @Test
    void shouldNotComeByTheTableAndGoRoundTheLoop() throws IOException, URISyntaxException {
        List<MethodModel> methods = classes()
                .flatMap(type -> type.methods().stream())
                .filter(method -> METHODS.contains(name(method)))
                .filter(method -> method.code().orElseThrow().elementStream().anyMatch(OutOfLineTest::isTable))
                .toList();
        assertThat(methods).hasSameSizeAs(METHODS).allSatisfy(method -> {
            List<Instruction> code = method.code()
                    .orElseThrow()
                    .elementStream()
                    .filter(Instruction.class::isInstance)
                    .map(Instruction.class::cast)
                    .toList();
            assertThat(code.get(0))
                    .isInstanceOfSatisfying(
                            FieldInstruction.class,
                            field -> assertThat(field.name().stringValue()).isEqualTo("NEVER"));
            assertThat(code.get(1).opcode()).isEqualTo(Opcode.IFEQ);
            int turn = code.indexOf(code.stream()
                    .filter(IncrementInstruction.class::isInstance)
                    .findFirst()
                    .orElseThrow());
            assertThat(code.get(turn - 2))
                    .isInstanceOfSatisfying(
                            ConstantInstruction.class,
                            bound -> assertThat(bound.constantValue()).isEqualTo(OutOfLine.EARLY));
        });
    }

    /** Of the JVM's log: the second compiler's code was left again, as it knew of nothing behind its beginning. */
    @Test
    void shouldNotBeCompiledForNothing() throws Exception {
        List<String> flags = List.of("-Xbatch", "-Xlog:deoptimization=debug");
        try (ChildJvm child = ChildJvm.start(flags, Map.of(), OutOfLineTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output()).contains("called").doesNotContain("OutOfLineTest.called");
        }
    }

    private static long called(long before) {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        return before + System.nanoTime() % 2;
    }

    public static void main(String[] arguments) {
        long sum = 0;
        for (int i = 0; i < 100_000; i++) {
            sum = called(sum);
        }
        System.out.println("called " + sum);
    }
}
