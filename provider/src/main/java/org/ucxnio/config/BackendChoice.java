package org.ucxnio.config;

import java.util.Locale;

/** How UCX is called. */
public enum BackendChoice {
    /** The best that runs here: foreign functions from Java 22 on, else JUCX where it is on the class path. */
    AUTO,
    /** Foreign functions. */
    FFM,
    /** JUCX. */
    JUCX;

    /** Whether a backend of that name may be used. */
    public boolean allows(String backend) {
        return this == AUTO || name().toLowerCase(Locale.ROOT).equals(backend);
    }
}
