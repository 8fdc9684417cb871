package org.ucxnio.bench.programs.http;

import java.util.SplittableRandom;

/** What the server answers with: bytes that follow from their number. */
final class Body {
    private Body() {}

    static byte[] of(int size) {
        byte[] body = new byte[size];
        // The same for both sides, hence no seed of its own.
        new SplittableRandom(size).nextBytes(body);
        return body;
    }
}
