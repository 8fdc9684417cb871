package org.ucxnio.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JvmCommandTest {
    private static final String NETTY_ON_NIO = "-Dio.netty.transport.noNative=true";

    @Test
    void shouldGiveProgramsOfOthersTheirJarsAndKeepNettyOnNio() {
        List<String> command = new JvmCommand(Provider.JDK)
                .main("org.ucxnio.bench.programs.ycsb.YcsbMain")
                .toList();

        assertThat(classPath(command)).endsWith("target/programs/*");
        assertThat(command).contains(NETTY_ON_NIO);
    }

    @Test
    void shouldGiveTheBenchmarksNoMoreThanTheyNeed() {
        List<String> command = new JvmCommand(Provider.UCXNIO)
                .main("org.ucxnio.bench.micro.MicroMain")
                .toList();

        assertThat(classPath(command)).doesNotContain("programs");
        assertThat(command).doesNotContain(NETTY_ON_NIO);
    }

    private static String classPath(List<String> command) {
        return command.get(command.indexOf("-cp") + 1);
    }
}
