package org.ucxnio.config;

/** A property holds a value that is not allowed; the message names property, value and what is allowed. */
public final class ConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String property, String value, String allowed) {
        super("Property " + property + "=" + value + " is not allowed: " + allowed);
    }
}
