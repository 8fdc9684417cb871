package org.ucxnio.session;

import java.io.IOException;

/** How the process that listens at an address is reached. Owned by the session thread. */
interface Way {

    /** Why there will be no session, or null where one may be had. */
    String closed();

    /**
     * Begins to connect: {@link Route#connected} or {@link Route#failed} follows, now or later.
     *
     * @return false where nobody is there now; nothing follows
     */
    boolean begin(Route route) throws IOException;

    /** Whether what led to a session still leads to the same process. */
    boolean isCurrent(Object identity);
}
