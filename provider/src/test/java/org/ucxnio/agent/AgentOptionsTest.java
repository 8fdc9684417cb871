package org.ucxnio.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;

class AgentOptionsTest {
    @ParameterizedTest
    @NullAndEmptySource
    void shouldSetNothingWithoutOptions(String text) {
        assertThat(AgentOptions.parse(text)).isEqualTo(new AgentOptions(Map.of(), true));
    }

    @Test
    void shouldSetProperties() {
        assertThat(AgentOptions.parse("wait=block,ucx.path=/opt/a=b").properties())
                .isEqualTo(Map.of("ucxnio.wait", "block", "ucxnio.ucx.path", "/opt/a=b"));
    }

    @Test
    void shouldTakeValuesWithCommas() {
        assertThat(AgentOptions.parse("trust=10.1.0.0/16,fd00::/8,wait=block").properties())
                .isEqualTo(Map.of("ucxnio.trust", "10.1.0.0/16,fd00::/8", "ucxnio.wait", "block"));
    }

    @Test
    void shouldLeaveNettyAloneWhereItIsToldTo() {
        assertThat(AgentOptions.parse("netty=own").nettyOnNio()).isFalse();
        assertThat(AgentOptions.parse("netty=nio,wait=spin").nettyOnNio()).isTrue();
        assertThat(AgentOptions.parse("netty=own").properties()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wiat=block | no option wiat",
                "block | begin with name=value",
                "=block | begin with name=value",
                ",wait=block | begin with name=value",
                "wait=block,wait=spin | wait is there twice",
                "netty=epoll | netty=epoll of the agent is not allowed: nio or own"
            })
    void shouldSayWhatIsWrong(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AgentOptions.parse(text))
                .withMessageContaining(message);
    }
}
