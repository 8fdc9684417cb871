package org.ucxnio.bench.child;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The settings of one measured JVM, handed over as {@code key=value} arguments. Units stand in the keys. */
public final class Settings {
    private final Map<String, String> values;

    private Settings(Map<String, String> values) {
        this.values = values;
    }

    /** Reads {@code key=value} arguments from position {@code first} on. */
    public static Settings parse(String[] arguments, int first) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = first; i < arguments.length; i++) {
            int equals = arguments[i].indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("not a key=value argument: " + arguments[i]);
            }
            values.put(arguments[i].substring(0, equals), arguments[i].substring(equals + 1));
        }
        return new Settings(values);
    }

    /** The same, with another value of {@code key}. */
    public Settings with(String key, Object value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(key, String.valueOf(value));
        return new Settings(more);
    }

    public boolean has(String key) {
        return values.containsKey(key);
    }

    /** The value of {@code key}, which must be there. */
    public String text(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("missing setting " + key);
        }
        return value;
    }

    /** The value of {@code key}, or {@code otherwise}. */
    public String text(String key, String otherwise) {
        return values.getOrDefault(key, otherwise);
    }

    public int integer(String key) {
        return Integer.parseInt(text(key));
    }

    public int integer(String key, int otherwise) {
        return Integer.parseInt(text(key, Integer.toString(otherwise)));
    }

    /** The numbers that {@code key} lists, separated by commas; without it, those of {@code otherwise}. */
    public int[] integers(String key, String otherwise) {
        return Arrays.stream(text(has(key) ? key : otherwise).split(","))
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    /** The numbers that {@code key} lists, separated by commas. */
    public int[] integers(String key) {
        return integers(key, key);
    }

    public long number(String key) {
        return Long.parseLong(text(key));
    }

    public long number(String key, long otherwise) {
        return Long.parseLong(text(key, Long.toString(otherwise)));
    }

    public boolean flag(String key) {
        return Boolean.parseBoolean(text(key, "false"));
    }
}
