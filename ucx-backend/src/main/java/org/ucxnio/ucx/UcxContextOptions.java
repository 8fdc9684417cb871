package org.ucxnio.ucx;

import java.util.Map;

/**
 * Options of a context.
 *
 * @param name shown in UCX's log lines
 * @param config UCX configuration by key without the {@code UCX_} prefix; a key whose environment variable the user has
 *     set is left alone, so that the user's value wins
 */
public record UcxContextOptions(String name, Map<String, String> config) {
    public UcxContextOptions {
        config = Map.copyOf(config);
    }
}
