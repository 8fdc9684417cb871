package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Mode;

/** Socket options are those of a kernel socket: the JDK's channels give the same answers to the same questions. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#clients")
class OptionsTest {
    @Parameter
    private Setting setting;

    private static Map<String, Object> answers(NetworkChannel channel) {
        Map<String, Object> answers = new TreeMap<>();
        for (SocketOption<?> option : channel.supportedOptions()) {
            Object answer;
            try {
                answer = String.valueOf(channel.getOption(option));
            } catch (IOException | RuntimeException e) {
                answer = e.toString();
            }
            // The kernel numbers flows as they come.
            answers.put(option.name(), option.name().equals("SO_INCOMING_NAPI_ID") ? "any" : answer);
        }
        return answers;
    }

    private static void setUnusualValues(NetworkChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 40_000);
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, !channel.getOption(StandardSocketOptions.SO_REUSEADDR));
        channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
        if (channel instanceof SocketChannel) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, 50_000);
            channel.setOption(StandardSocketOptions.SO_LINGER, 3);
            channel.setOption(StandardSocketOptions.IP_TOS, 16);
        }
    }

    @Test
    void shouldAnswerLikeTheJdkBeforeConnecting() throws IOException {
        try (SocketChannel ours = setting.flavour().provider().openSocketChannel();
                SocketChannel reference = Flavour.JDK.provider().openSocketChannel()) {
            assertThat(ours.supportedOptions()).isEqualTo(reference.supportedOptions());
            assertThat(answers(ours)).isEqualTo(answers(reference));
            setUnusualValues(ours);
            setUnusualValues(reference);
            assertThat(answers(ours)).isEqualTo(answers(reference));
        }
    }

    @Test
    void shouldAnswerLikeTheJdkWhenListening() throws IOException {
        try (ServerSocketChannel ours = setting.flavour().provider().openServerSocketChannel();
                ServerSocketChannel reference = Flavour.JDK.provider().openServerSocketChannel()) {
            assertThat(ours.supportedOptions()).isEqualTo(reference.supportedOptions());
            assertThat(answers(ours)).isEqualTo(answers(reference));
            setUnusualValues(ours);
            setUnusualValues(reference);
            ours.bind(null);
            reference.bind(null);
            assertThat(answers(ours)).isEqualTo(answers(reference));
        }
    }

    @Test
    void shouldKeepOptionsWhenConnected() throws IOException {
        try (FarListener listener = new FarListener(setting);
                SocketChannel channel = setting.flavour().provider().openSocketChannel();
                SocketChannel reference = Flavour.JDK.provider().openSocketChannel()) {
            setUnusualValues(channel);
            setUnusualValues(reference);
            channel.connect(listener.address());
            reference.connect(listener.address());
            assertThat(answers(channel)).isEqualTo(answers(reference));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, false);
            assertThat(channel.getOption(StandardSocketOptions.TCP_NODELAY)).isFalse();
        }
    }

    @Test
    void shouldAnswerLikeTheJdkWhenAccepted() throws IOException {
        Setting server = new Setting(setting.pairing(), Setting.Role.SERVER, Mode.BLOCKING, setting.placement());
        Setting reference = new Setting(Setting.Pairing.JDK, Setting.Role.SERVER, Mode.BLOCKING, setting.placement());
        try (Connection one = Connection.open(server);
                Connection two = Connection.open(reference)) {
            Map<String, Object> answers = answers(one.channel());
            Map<String, Object> expected = answers(two.channel());
            assertThat(answers)
                    .as(() -> "asked again " + answers(one.channel()) + "\n" + org.ucxnio.UcxNio.report())
                    .isEqualTo(expected);
            setUnusualValues(one.channel());
            setUnusualValues(two.channel());
            assertThat(answers(one.channel())).isEqualTo(answers(two.channel()));
        }
    }

    @Test
    void shouldRefuseOptionsItCannotSet() throws IOException {
        try (SocketChannel channel = setting.flavour().provider().openSocketChannel()) {
            assertThatThrownBy(() -> channel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> channel.getOption(StandardSocketOptions.IP_MULTICAST_LOOP))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> channel.getOption(null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> channel.setOption(null, 1)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> channel.setOption(StandardSocketOptions.SO_RCVBUF, -1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> channel.setOption(StandardSocketOptions.SO_RCVBUF, null))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(channel.setOption(StandardSocketOptions.TCP_NODELAY, true))
                    .isSameAs(channel);
        }
    }
}
