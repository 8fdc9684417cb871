package org.ucxnio.ucx;

import java.util.Objects;

/**
 * How to find and prepare libucp.
 *
 * @param libraryPath a libucp file or a directory that holds one; empty to search by name, then in the usual directories
 * @param logFile where UCX writes its log lines ({@code UCX_LOG_FILE}); empty for standard error
 */
public record UcxLoadOptions(String libraryPath, String logFile) {
    public UcxLoadOptions {
        Objects.requireNonNull(libraryPath, "libraryPath");
        Objects.requireNonNull(logFile, "logFile");
    }
}
