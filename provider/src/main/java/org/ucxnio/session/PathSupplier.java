package org.ucxnio.session;

import java.io.IOException;
import java.nio.file.Path;

/** Says where the rendezvous directory is. Called by the session thread, when it is first needed. */
@FunctionalInterface
public interface PathSupplier {
    /** @throws IOException with one line that says why there is none */
    Path path() throws IOException;
}
