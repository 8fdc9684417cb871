package org.ucxnio.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is read from the kernel's table of sockets. */
class SendQueuesTest {
    private static final String TABLE = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:39AC 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1907 1 00000000a 100 0
               1: 0100007F:9916 0100007F:3631 01 0000A190:00000000 01:0000023D 00000000     0        0 1908 3 000000006329142e
               2: 0100007F:3631 0100007F:9916 01 FFFFFFFF:00001907 00:00000000 00000000     0     1907 77 1 1907
               3: 0100007F:3632 0100007F:9916 06 00000000:00000000 03:0000023D 00000000     0        0 0 3 000000006329142e
            """;

    @Test
    void shouldFindTheQueueOfASocket() {
        assertThat(SendQueues.find("1908", TABLE)).isEqualTo(0xa190);
    }

    @Test
    void shouldTakeNoOtherNumberForThatOfASocket() {
        assertThat(SendQueues.find("1907", TABLE)).isZero();
        assertThat(SendQueues.find("190", TABLE)).isNegative();
        assertThat(SendQueues.find("907", TABLE)).isNegative();
    }

    @Test
    void shouldNotFindWhatIsNotThere() {
        assertThat(SendQueues.find("4711", TABLE)).isNegative();
        assertThat(SendQueues.find("1908", "")).isNegative();
        assertThat(SendQueues.find("1908", "1908")).isNegative();
    }
}
