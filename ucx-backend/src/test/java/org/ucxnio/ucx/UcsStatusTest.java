package org.ucxnio.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UcsStatusTest {
    @Test
    void shouldNameEveryStatus() throws IllegalAccessException {
        for (Field field : UcsStatus.class.getFields()) {
            int status = field.getInt(null);
            assertThat(UcsStatus.name(status)).isEqualTo(field.getName());
            assertThat(UcsStatus.describe(status)).startsWith(field.getName() + " (");
        }
        assertThat(UcsStatus.describe(-1234)).isEqualTo("STATUS_-1234 (unknown status)");
    }

    private static void assertMapped(int status, Class<? extends IOException> type, String start) {
        assertThat(UcsStatus.toIOException("write", status, "/10.1.0.2:80"))
                .isExactlyInstanceOf(type)
                .hasMessageStartingWith(start)
                .hasMessageContainingAll("write", UcsStatus.name(status), "/10.1.0.2:80");
    }

    @ParameterizedTest
    @ValueSource(ints = {UcsStatus.ERR_CONNECTION_RESET, UcsStatus.ERR_ENDPOINT_TIMEOUT, -40, -59, -60, -70, -89})
    void shouldMapADeadPeerToConnectionReset(int status) {
        assertMapped(status, SocketException.class, "Connection reset");
    }

    @Test
    void shouldMapStatusesToWhatNioUsersExpect() {
        assertMapped(UcsStatus.ERR_REJECTED, ConnectException.class, "Connection refused");
        assertMapped(UcsStatus.ERR_UNREACHABLE, NoRouteToHostException.class, "No route to host");
        assertMapped(UcsStatus.ERR_TIMED_OUT, SocketTimeoutException.class, "Timed out");
        assertMapped(UcsStatus.ERR_NOT_CONNECTED, SocketException.class, "Not connected");
        assertMapped(UcsStatus.ERR_CANCELED, SocketException.class, "Connection closed");
        assertMapped(UcsStatus.ERR_NO_MEMORY, SocketException.class, "No buffer space available");
        assertMapped(UcsStatus.ERR_IO_ERROR, IOException.class, "write");
    }

    @Test
    void shouldLeaveOutAPeerThatIsNotThere() {
        assertThat(UcsStatus.toIOException("bind", UcsStatus.ERR_NO_DEVICE, ""))
                .hasMessage("bind: UCX ERR_NO_DEVICE (no such device)");
    }
}
