package org.ucxnio.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessorLimitTest {
    private static final int PROCESSORS = 8;

    @TempDir
    private Path root;

    private void write(String file, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content + "\n");
    }

    private void expect(long percent) {
        assertThat(ProcessorLimit.percent(root, PROCESSORS)).isEqualTo(percent);
    }

    @Test
    void shouldFindNoneWhereNobodySaysOne() {
        expect(ProcessorLimit.NONE);
    }

    @ParameterizedTest
    @CsvSource({"50000 100000, 50", "250000 100000, 250", "10000 20000, 50", "799000 100000, 799"})
    void shouldKnowThatOfAContainer(String limit, long percent) throws IOException {
        write("proc/self/cgroup", "0::/");
        write("sys/fs/cgroup/cpu.max", limit);
        expect(percent);
    }

    @Test
    void shouldHeedTheGroupsAround() throws IOException {
        write("proc/self/cgroup", "0::/a/b/c");
        write("sys/fs/cgroup/a/cpu.max", "150000 100000");
        write("sys/fs/cgroup/a/b/cpu.max", "max 100000");
        write("sys/fs/cgroup/a/b/c/cpu.max", "400000 100000");
        expect(150);
    }

    @Test
    void shouldKnowTheFirstVersionOfControlGroups() throws IOException {
        write("proc/self/cgroup", "4:memory:/x\n2:cpu,cpuacct:/a/b");
        write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
        write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
        write("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "-1");
        write("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000");
        write("sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us", "30000");
        write("sys/fs/cgroup/cpu/a/b/cpu.cfs_period_us", "100000");
        write("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "1000");
        write("sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000");
        expect(30);
    }

    @Test
    void shouldTakeAsMuchAsThereIsForNoLimit() throws IOException {
        write("proc/self/cgroup", "0::/");
        write("sys/fs/cgroup/cpu.max", "800000 100000");
        expect(ProcessorLimit.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "max 100000",
        "max",
        "50000",
        "'50000 '",
        "50000 0",
        "-1 100000",
        "0 100000",
        "9223372036854775807 1",
        "half of it"
    })
    void shouldTakeWhatMakesNoSenseForNone(String limit) throws IOException {
        write("proc/self/cgroup", "0::/");
        write("sys/fs/cgroup/cpu.max", limit);
        expect(ProcessorLimit.NONE);
    }

    @Test
    void shouldKnowThisMachine() {
        assertThat(ProcessorLimit.percent()).isPositive();
    }
}
