package org.ucxnio.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Tells whether two processes share a kernel and the namespaces that shared memory needs. */
final class HostIdentity {
    private HostIdentity() {}

    /** A hash over the kernel's boot id and this process's IPC, PID and network namespaces. */
    static byte[] ofThisProcess() throws IOException {
        StringBuilder identity = new StringBuilder();
        identity.append(
                Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).trim());
        // The network namespace counts because UCX wakes a sleeping peer through a socket.
        for (String namespace : new String[] {"ipc", "pid", "net"}) {
            identity.append(' ').append(Files.readSymbolicLink(Path.of("/proc/self/ns/" + namespace)));
        }
        return Arrays.copyOf(hash(identity.toString()), Introduction.HOST_ID_LENGTH);
    }

    /**
     * Whether this process may open what another one has open, which is how shared memory is found. Even the same user may not where the
     * other process has capabilities that this one lacks, or is in another user namespace.
     */
    static boolean reaches(int pid) {
        try {
            // The kernel asks the same of whoever reads this link as of those who open /proc/PID/fd/N.
            Files.readSymbolicLink(Path.of("/proc/" + pid + "/exe"));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Tells whether a process that runs now still does. One that has ended and that nobody has waited for does not, whatever its handle says. */
    static BooleanSupplier running(int pid) {
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        return () -> process.isPresent() && process.get().isAlive() && reaches(pid);
    }

    static byte[] hash(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
