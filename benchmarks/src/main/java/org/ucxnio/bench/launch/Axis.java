package org.ucxnio.bench.launch;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What a sweep varies: a setting of its program, whose values are measured one after another.
 *
 * @param key the setting
 * @param label its name in tables and plots
 * @param values its values, in their order; empty where nothing is varied
 */
record Axis(String key, String label, List<Integer> values) {
    static final Axis NONE = new Axis("", "", List.of());

    Axis {
        values = List.copyOf(values);
    }

    /** Powers of two from {@code first} to {@code last}. */
    static Axis powersOfTwo(String key, String label, int first, int last) {
        int from = Integer.numberOfTrailingZeros(first);
        int to = Integer.numberOfTrailingZeros(last);
        return new Axis(
                key,
                label,
                IntStream.rangeClosed(from, to).mapToObj(each -> 1 << each).toList());
    }

    boolean isSwept() {
        return !values.isEmpty();
    }

    /** The same with every n-th value only, and the last one. */
    Axis every(int n) {
        int last = values.size() - 1;
        return new Axis(
                key,
                label,
                IntStream.rangeClosed(0, last)
                        .filter(i -> i % n == 0 || i == last)
                        .mapToObj(values::get)
                        .toList());
    }
}
