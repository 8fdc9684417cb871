package org.ucxnio.bench.launch;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a benchmark can be run on.
 *
 * @param providers whether on every selector provider
 * @param others on what else
 */
record Columns(boolean providers, List<Provider> others) {
    /** Every selector provider, and nothing else. */
    static final Columns PROVIDERS = new Columns(true, List.of());

    Columns {
        others = List.copyOf(others);
    }

    static Columns only(Provider... these) {
        return new Columns(false, List.of(these));
    }

    Columns also(Provider... more) {
        return new Columns(
                providers, Stream.concat(others.stream(), Stream.of(more)).toList());
    }

    boolean has(Provider provider) {
        return providers && provider.isSelectorProvider() || others.contains(provider);
    }
}
