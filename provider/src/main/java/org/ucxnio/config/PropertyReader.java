package org.ucxnio.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads typed values out of properties and says plainly what is wrong with the ones it cannot read. */
final class PropertyReader {
    /** Loaded where a property is set: a process that starts has no time for more. */
    private static final class Units {
        static final Pattern SIZE = Pattern.compile("(\\d{1,12})\\s*([kKmMgG]?)[bB]?");
        static final Pattern DURATION = Pattern.compile("(\\d{1,12})\\s*(ns|us|ms|s|m)");
        static final Map<String, Long> NANOS =
                Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L);
    }

    private final Function<String, String> source;

    PropertyReader(Function<String, String> source) {
        this.source = source;
    }

    String text(String name, String defaultValue) {
        String value = source.apply(name);
        return value == null ? defaultValue : value.trim();
    }

    boolean flag(String name, boolean defaultValue) {
        String value = text(name, Boolean.toString(defaultValue));
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true", "" -> true;
            case "false" -> false;
            default -> throw new ConfigException(name, value, "true or false");
        };
    }

    int number(String name, int defaultValue, int min, int max) {
        String value = text(name, Integer.toString(defaultValue));
        try {
            int parsed = Integer.parseInt(value);
            if (parsed >= min && parsed <= max) {
                return parsed;
            }
        } catch (NumberFormatException e) {
            // reported below, with the bounds
        }
        throw new ConfigException(name, value, "a whole number from " + min + " to " + max);
    }

    /** As {@link #number}, or {@code word}, which is the default and reads as {@code meaning}. */
    int numberOr(String word, int meaning, String name, int min, int max) {
        String value = text(name, word);
        if (value.equalsIgnoreCase(word)) {
            return meaning;
        }
        try {
            return number(name, min, min, max);
        } catch (ConfigException e) {
            throw new ConfigException(name, value, word + ", or a whole number from " + min + " to " + max);
        }
    }

    /** A size in bytes; suffixes k, m and g are powers of 1024. */
    int size(String name, int defaultValue, int min, int max) {
        return Math.toIntExact(longSize(name, defaultValue, min, max));
    }

    /** As {@link #size}, for what may be several gigabytes. */
    long longSize(String name, long defaultValue, long min, long max) {
        String value = source.apply(name);
        if (value == null) {
            return defaultValue;
        }
        Matcher matcher = Units.SIZE.matcher(value.trim());
        if (matcher.matches()) {
            int shift = switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
                case "k" -> 10;
                case "m" -> 20;
                case "g" -> 30;
                default -> 0;
            };
            long count = Long.parseLong(matcher.group(1));
            // Compared before the shift, which may overflow.
            if (count <= max >> shift && count << shift >= min) {
                return count << shift;
            }
        }
        throw new ConfigException(
                name, value, "a size from " + min + " to " + max + " bytes; suffixes k, m and g are understood");
    }

    /** A duration in nanoseconds; the unit (ns, us, ms, s, m) is part of the value. */
    long durationNanos(String name, Duration defaultValue, Duration min, Duration max) {
        String value = source.apply(name);
        if (value == null) {
            return defaultValue.toNanos();
        }
        Matcher matcher = Units.DURATION.matcher(value.trim());
        if (matcher.matches()) {
            long unit = Units.NANOS.get(matcher.group(2));
            long count = Long.parseLong(matcher.group(1));
            if (count <= max.toNanos() / unit && count * unit >= min.toNanos()) {
                return count * unit;
            }
        }
        throw new ConfigException(
                name, value, "a duration with a unit (ns, us, ms, s, m) from " + show(min) + " to " + show(max));
    }

    <T extends Enum<T>> T choice(String name, T defaultValue, T[] choices) {
        String value = text(name, defaultValue.name());
        StringBuilder allowed = new StringBuilder();
        for (T constant : choices) {
            if (constant.name().equalsIgnoreCase(value)) {
                return constant;
            }
            allowed.append(allowed.isEmpty() ? "" : ", ").append(constant.name().toLowerCase(Locale.ROOT));
        }
        throw new ConfigException(name, value, "one of " + allowed);
    }

    private static String show(Duration duration) {
        return duration.toNanos() % 1_000_000 == 0 ? duration.toMillis() + "ms" : duration.toNanos() / 1000 + "us";
    }
}
