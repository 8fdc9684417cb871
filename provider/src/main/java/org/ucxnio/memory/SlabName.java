package org.ucxnio.memory;

import java.util.HexFormat;

/** The names of slabs: {@code s-<token of the process that made it, in hex>-<number>}. */
public final class SlabName {
    /** Length in bytes of the token of a process. */
    public static final int TOKEN_BYTES = 16;

    /** What all of them begin with. */
    public static final String PREFIX = "s-";

    private SlabName() {}

    /** The beginning of the names of all slabs of a process. */
    public static String prefix(byte[] token) {
        if (token.length != TOKEN_BYTES) {
            throw new IllegalArgumentException("A token of " + token.length + " bytes");
        }
        return PREFIX + HexFormat.of().formatHex(token) + "-";
    }
}
