package org.ucxnio.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineMemoryTest {
    private static final long GIB = 1L << 30;

    @TempDir
    private Path root;

    private void write(String file, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    @BeforeEach
    void makeMachineOf8Gib() throws IOException {
        write("proc/meminfo", "MemTotal:        8388608 kB\nMemFree:          123456 kB\n");
    }

    private void expect(long bytes) {
        assertThat(MachineMemory.defaultLimit(root)).isEqualTo(bytes);
    }

    @Test
    void shouldTakeAQuarterOfTheMachine() {
        expect(2 * GIB);
    }

    @Test
    void shouldTakeAQuarterOfAContainer() throws IOException {
        write("sys/fs/cgroup/memory.max", GIB + "\n");
        write("proc/self/cgroup", "0::/\n");
        expect(GIB / 4);
    }

    @Test
    void shouldHeedTheGroupsAround() throws IOException {
        write("proc/self/cgroup", "0::/a/b/c\n");
        write("sys/fs/cgroup/a/memory.max", 2 * GIB + "\n");
        write("sys/fs/cgroup/a/b/memory.max", "max\n");
        write("sys/fs/cgroup/a/b/c/memory.max", 4 * GIB + "\n");
        expect(GIB / 2);
    }

    @Test
    void shouldKnowTheFirstVersionOfControlGroups() throws IOException {
        write("proc/self/cgroup", "12:cpu,cpuacct:/x\n4:memory:/a\n0::/\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", GIB + "\n");
        expect(GIB / 4);
    }

    @Test
    void shouldNotTrustWhatCannotBeRead() throws IOException {
        write("proc/meminfo", "MemTotal: lots\n");
        assertThat(MachineMemory.defaultLimit(root)).isPositive();
        write("sys/fs/cgroup/memory.max", "99999999999999999999999\n");
        assertThat(MachineMemory.defaultLimit(root)).isPositive();
    }

    @Test
    void shouldKnowThisMachine() {
        assertThat(MachineMemory.defaultLimit()).isBetween(1L << 20, 1L << 50);
    }
}
