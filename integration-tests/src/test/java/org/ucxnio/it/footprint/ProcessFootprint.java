package org.ucxnio.it.footprint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.ucxnio.it.harness.Proc;

/**
 * What a process holds at one moment.
 *
 * @param descriptors open descriptors
 * @param threads threads of the kernel
 * @param sharedMappings mappings of shared memory
 * @param sharedKib resident shared memory
 * @param residentKib all resident memory
 * @param heapBytes heap in use after a collection, as the process itself says
 */
record ProcessFootprint(
        int descriptors, int threads, int sharedMappings, long sharedKib, long residentKib, long heapBytes) {
    static ProcessFootprint of(long pid, long heapBytes) throws IOException {
        return new ProcessFootprint(
                Proc.descriptors(pid),
                Proc.threads(pid),
                Proc.sharedMappings(pid),
                sharedKib(pid),
                Proc.residentKib(pid),
                heapBytes);
    }

    private static long sharedKib(long pid) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return lines.filter(line -> line.startsWith("RssShmem:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .sum();
        }
    }
}
