package org.ucxnio.ucx.library;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.UcxException;

/** What a context is configured with: our values, but for those that the user has set in the environment. */
public final class ContextConfig {

    /** {@code ucp_config_modify} of one configuration: a status. */
    public interface Modifier {
        int modify(String key, String value);
    }

    private final Map<String, String> wanted;
    private final Map<String, String> values;

    /** @param environment gives the value of a variable in the C environment, or null */
    public ContextConfig(UcxContextOptions options, UnaryOperator<String> environment) {
        wanted = new TreeMap<>(options.config());
        values = new TreeMap<>(wanted);
        values.keySet().removeIf(key -> environment.apply("UCX_" + key) != null);
    }

    public Map<String, String> values() {
        return values;
    }

    /** Has UCX take each value; the exception names the one that it refuses. */
    public void modify(Modifier modifier) throws UcxException {
        for (Map.Entry<String, String> entry : values.entrySet()) {
            String key = entry.getKey();
            String value = entry.getValue();
            Outcomes.check("UCX configuration " + key + "=" + value, modifier.modify(key, value));
        }
    }

    /** {@code ucp_init} for an exception: what it fails for is most often a value. */
    public String initOperation() {
        return "ucp_init with " + wanted;
    }
}
