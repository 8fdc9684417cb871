package org.ucxnio.posix.jna;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Names of C functions for methods named as Java names them: {@code epollCreate1} is {@code epoll_create1}. */
public final class CNames {
    private static final int RTLD_NOW = 2;

    /** For {@link com.sun.jna.NativeLibrary#getInstance(String, Map)}; by default JNA shows a library's symbols to all others. */
    public static final Map<String, Object> OPTIONS =
            Map.of(Library.OPTION_OPEN_FLAGS, RTLD_NOW, Library.OPTION_FUNCTION_MAPPER, (FunctionMapper)
                    (library, method) -> ofMethod(method.getName()));

    private static final Pattern WORD_START = Pattern.compile("([a-z0-9])([A-Z])");

    private CNames() {}

    static String ofMethod(String name) {
        return WORD_START.matcher(name).replaceAll("$1_$2").toLowerCase(Locale.ROOT);
    }
}
