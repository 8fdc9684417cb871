package org.ucxnio.ucx.ffm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.ucx.UcsStatus;

/** Every size, offset and constant is the C compiler's. A new one in {@link UcpLayouts} is found by itself. */
@Timeout(60)
class UcpLayoutsTest {
    private static final Path HEADER = Path.of("/usr/include/ucp/api/ucp.h");

    /** Prefix of constants to the C type they describe. */
    private static final Map<String, String> TYPES = Map.of(
            "PARAMS", "ucp_params_t",
            "WORKER_PARAMS", "ucp_worker_params_t",
            "EP_PARAMS", "ucp_ep_params_t",
            "REQUEST_PARAM", "ucp_request_param_t",
            "AM_HANDLER_PARAM", "ucp_am_handler_param_t",
            "AM_RECV_PARAM", "ucp_am_recv_param_t",
            "MEM_MAP_PARAMS", "ucp_mem_map_params_t",
            "STATUS", "ucs_status_t");

    /** Members that are not named like their constant, and constants of UCS. */
    private static final Map<String, String> SPECIAL = Map.of(
            "EP_PARAMS_ERR_HANDLER_CB", "offsetof(ucp_ep_params_t, err_handler.cb)",
            "EP_PARAMS_ERR_HANDLER_ARG", "offsetof(ucp_ep_params_t, err_handler.arg)",
            "THREAD_MODE_SERIALIZED", "UCS_THREAD_MODE_SERIALIZED",
            "MEMORY_TYPE_HOST", "UCS_MEMORY_TYPE_HOST",
            "API_MAJOR", "1",
            "API_MINOR", "13");

    @TempDir
    private Path directory;

    @Test
    void shouldAgreeWithTheHeaders() throws Exception {
        assumeTrue(Files.exists(HEADER), "no " + HEADER + " (package libucx-dev)");
        Map<String, Long> ours = new LinkedHashMap<>();
        Map<String, String> expressions = new LinkedHashMap<>();
        collect(UcpLayouts.class, UcpLayoutsTest::layoutExpression, ours, expressions);
        collect(UcsStatus.class, name -> "UCS_" + name, ours, expressions);
        Map<String, Long> theirs = evaluate(expressions);
        assertThat(ours).hasSizeGreaterThan(80).isEqualTo(theirs);
    }

    private static void collect(
            Class<?> constants,
            UnaryOperator<String> toExpression,
            Map<String, Long> values,
            Map<String, String> expressions)
            throws IllegalAccessException {
        for (Field field : constants.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType().isPrimitive()) {
                field.setAccessible(true);
                String name = constants.getSimpleName() + "." + field.getName();
                values.put(name, ((Number) field.get(null)).longValue());
                expressions.put(name, toExpression.apply(field.getName()));
            }
        }
    }

    private static String layoutExpression(String name) {
        if (SPECIAL.containsKey(name)) {
            return SPECIAL.get(name);
        }
        String type = TYPES.keySet().stream()
                .filter(prefix -> name.startsWith(prefix + "_"))
                .max((a, b) -> Integer.compare(a.length(), b.length()))
                .orElse("");
        // A constant such as MEM_MAP_PARAM_FIELD_ADDRESS is a bit of a mask, and FIELD_MASK a member.
        boolean bit = name.matches(".*_(FIELD|FLAG)_.*") && !name.endsWith("_FIELD_MASK");
        if (type.isEmpty() || bit) {
            return "UCP_" + name;
        }
        String member = name.substring(type.length() + 1).toLowerCase(Locale.ROOT);
        return member.equals("size")
                ? "sizeof(" + TYPES.get(type) + ")"
                : "offsetof(" + TYPES.get(type) + ", " + member + ")";
    }

    private Map<String, Long> evaluate(Map<String, String> expressions) throws Exception {
        String prints = expressions.entrySet().stream()
                .map(entry -> "  printf(\"" + entry.getKey() + " %lld\\n\", (long long)(" + entry.getValue() + "));\n")
                .collect(Collectors.joining());
        Path program = directory.resolve("layouts.c");
        Files.writeString(
                program,
                "#include <stddef.h>\n#include <stdio.h>\n#include <ucp/api/ucp.h>\nint main(void) {\n" + prints
                        + "  return 0;\n}\n");
        Path binary = directory.resolve("layouts");
        run("gcc", "-Wall", "-o", binary.toString(), program.toString());
        Map<String, Long> values = new LinkedHashMap<>();
        for (String line : run(binary.toString())) {
            String[] words = line.split(" ");
            values.put(words[0], Long.parseLong(words[1]));
        }
        return values;
    }

    private static List<String> run(String... command) throws InterruptedException {
        Process process;
        List<String> lines;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
            lines = new ArrayList<>(process.inputReader().lines().toList());
        } catch (IOException e) {
            assumeTrue(false, "cannot run " + command[0] + ": " + e.getMessage());
            return List.of();
        }
        assertThat(process.waitFor()).as(String.join("\n", lines)).isZero();
        return lines;
    }
}
