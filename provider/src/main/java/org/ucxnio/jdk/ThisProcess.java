package org.ucxnio.jdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** This process as the kernel has it. */
public final class ThisProcess {
    private ThisProcess() {}

    /** Its number, in decimal digits. The first process handle, which tells it as well, costs some milliseconds. */
    public static String number() throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/self")).toString();
    }
}
