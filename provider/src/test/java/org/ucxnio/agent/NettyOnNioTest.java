package org.ucxnio.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NettyOnNioTest {
    @ParameterizedTest
    @CsvSource({
        "io/netty/util/internal/SystemPropertyUtil, io.netty.transport.noNative",
        "io/grpc/netty/shaded/io/netty/util/internal/SystemPropertyUtil, io.grpc.netty.shaded.io.netty.transport.noNative",
        "com/example/shaded/netty/util/internal/SystemPropertyUtil, com.example.shaded.netty.transport.noNative",
        "io/netty/util/internal/SystemPropertyUtil$1,",
        "io/netty/channel/epoll/Epoll,"
    })
    void shouldNameThePropertyOfEachNetty(String className, String property) {
        assertThat(NettyOnNio.propertyOf(className)).isEqualTo(property);
    }
}
