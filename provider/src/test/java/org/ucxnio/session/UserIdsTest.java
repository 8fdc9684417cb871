package org.ucxnio.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserIdsTest {
    private static final int NOBODY = 65_534;

    @TempDir
    private Path proc;

    @BeforeEach
    void makeFolders() throws IOException {
        Files.createDirectories(proc.resolve("sys/kernel"));
        Files.createDirectories(proc.resolve("self"));
        write("sys/kernel/overflowuid", "65534\n");
    }

    private void write(String file, String content) throws IOException {
        Files.writeString(proc.resolve(file), content);
    }

    private UserIds mapping(String map) throws IOException {
        write("self/uid_map", map);
        return UserIds.readFrom(proc);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "         0          0 4294967295\n",
                "0 0 1000\n1000 1000 4294966295\n",
                "1 0 1\n0 1 1\n2 2 4294967293\n"
            })
    void shouldBelieveEveryNumberWhereAllUsersAreMapped(String map) throws IOException {
        UserIds ids = mapping(map);
        for (int id : new int[] {0, 1000, NOBODY, -2}) {
            assertThat(ids.standsForOneUser(id)).as("%s", id).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "         0       1000          1\n",
                "0 1000 1\n1 100000 65536\n",
                "65534 65534 1\n",
                "0 0 4294967294\n",
                "",
                "nonsense\n"
            })
    void shouldNotBelieveTheOverflowNumberWhereSomeUsersAreNotMapped(String map) throws IOException {
        UserIds ids = mapping(map);
        assertThat(ids.standsForOneUser(NOBODY)).isFalse();
        for (int id : new int[] {0, 1000, NOBODY - 1, NOBODY + 1}) {
            assertThat(ids.standsForOneUser(id)).as("%s", id).isTrue();
        }
    }

    @Test
    void shouldAskTheKernelForTheOverflowNumber() throws IOException {
        write("sys/kernel/overflowuid", "99\n");
        UserIds ids = mapping("0 1000 1\n");
        assertThat(ids.standsForOneUser(99)).isFalse();
        assertThat(ids.standsForOneUser(NOBODY)).isTrue();
    }

    @Test
    void shouldFearTheWorstWhereTheKernelSaysNothing() {
        UserIds ids = UserIds.readFrom(proc.resolve("none"));
        assertThat(ids.standsForOneUser(NOBODY)).isFalse();
        assertThat(ids.standsForOneUser(1000)).isTrue();
        assertThatThrownBy(ids::effective).isInstanceOf(IOException.class).hasMessageContaining("self/status");
    }

    @Test
    void shouldTellTheEffectiveUser() throws IOException {
        write("self/status", "Name:\tjava\nUid:\t1000\t1001\t1002\t1003\nGid:\t1\t2\t3\t4\n");
        assertThat(UserIds.readFrom(proc).effective()).isEqualTo(1001);
        write("self/status", "Name:\tjava\n");
        assertThatThrownBy(UserIds.readFrom(proc)::effective).isInstanceOf(IOException.class);
    }

    @Test
    void shouldTellTheUserOfThisProcess() throws IOException {
        assertThat(UserIds.ofThisProcess().effective()).isEqualTo(Files.getAttribute(proc, "unix:uid"));
    }
}
