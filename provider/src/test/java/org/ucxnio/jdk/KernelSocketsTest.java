package org.ucxnio.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.testing.ChildJvm;

@Timeout(60)
class KernelSocketsTest {
    /** More than a process asks that moves a hundred connections. */
    private static final int QUESTIONS = 500;

    private static final String ASKED = "asked";

    @Test
    void shouldNotTakeTheQuestionsOfAMomentForANeedOfNativeFunctions() throws Exception {
        try (ChildJvm child = ChildJvm.start(List.of("-Xlog:class+load"), Map.of(), KernelSocketsTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output()).contains(ASKED).doesNotContain("org.ucxnio.jdk.ForeignFunctions ");
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel socket = SocketChannel.open(listener.getLocalAddress())) {
                for (int i = 0; i < QUESTIONS; i++) {
                    KernelSockets.unconfirmedBytes(socket);
                }
            }
        }
        System.out.println(ASKED);
    }
}
