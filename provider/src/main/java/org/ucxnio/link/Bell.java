package org.ucxnio.link;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ucxnio.jdk.ThisProcess;

/**
 * What a selector that sleeps is woken by: a pipe of its process. The numbers lead a writer of another process to it, see {@link Bells}.
 *
 * @param process the process, as the kernel tells it
 * @param descriptor of the end for writing
 * @param pipe number of the pipe: no other pipe of this machine has it as long as it is open
 * @param name what is put into the pipe: by it the selector knows which of its keys is meant
 */
public record Bell(int process, int descriptor, long pipe, long name) {
    /** What is put into the pipe at a time: a name, in the order of bytes of a {@link java.nio.ByteBuffer}. */
    public static final int BYTES = Long.BYTES;

    private static final int NO_NAME = 0;

    private static final String BEFORE_NUMBER = "pipe:[";
    private static final String BEHIND_NUMBER = "]";

    /** Where the kernel shows a descriptor of this process. */
    static String ownPath(int descriptor) {
        return "/proc/self/fd/" + descriptor;
    }

    /** The pipe that this process has under a descriptor, for nobody in particular. */
    public static Bell of(int descriptor) throws IOException {
        String name = nameAt(ownPath(descriptor));
        if (!name.startsWith(BEFORE_NUMBER) || !name.endsWith(BEHIND_NUMBER)) {
            throw new IOException("A pipe is called " + name);
        }
        long pipe = Long.parseLong(name.substring(BEFORE_NUMBER.length(), name.length() - BEHIND_NUMBER.length()));
        return new Bell(Integer.parseInt(ThisProcess.number()), descriptor, pipe, NO_NAME);
    }

    /** The same pipe, rung for another. */
    public Bell named(long other) {
        return new Bell(process, descriptor, pipe, other);
    }

    /** Where the kernel shows the pipe to other processes. */
    String path() {
        return "/proc/" + process + "/fd/" + descriptor;
    }

    /** Whether it is this pipe that the kernel shows there. */
    boolean isAt(String path) throws IOException {
        return nameAt(path).equals(BEFORE_NUMBER + pipe + BEHIND_NUMBER);
    }

    private static String nameAt(String path) throws IOException {
        return Files.readSymbolicLink(Path.of(path)).toString();
    }
}
