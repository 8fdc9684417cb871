package org.ucxnio.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is read from the kernel's table of sockets, and how often. */
class SendQueuesTest {
    private static final String TABLE = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:39AC 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1907 1 00000000a 100 0
               1: 0100007F:9916 0100007F:3631 01 0000A190:00000000 01:0000023D 00000000     0        0 1908 3 000000006329142e
               2: 0100007F:3631 0100007F:9916 01 FFFFFFFF:00001907 00:00000000 00000000     0     1907 77 1 1907
               3: 0100007F:3632 0100007F:9916 06 00000000:00000000 03:0000023D 00000000     0        0 0 3 000000006329142e
            """;

    private static final int UNKNOWN = Integer.MAX_VALUE;
    private static final int OPEN = 1;
    private static final int ENDED = 4;
    private static final int READING_NANOS = 1_000;
    private static final long LONGEST_PAUSE_NANOS = 250_000_000;

    private long readingNanos = READING_NANOS;
    private int readings;
    private long now = 5;
    private boolean fails;
    private String table = TABLE;
    private final SendQueues queues = new SendQueues(this::read, () -> now);

    private List<String> read() throws IOException {
        readings++;
        now += readingNanos;
        if (fails) {
            throw new IOException("no table");
        }
        return List.of("", table);
    }

    private static Map<String, Integer> find(String table, String... inodes) {
        Map<String, Integer> wanted = new HashMap<>();
        for (String inode : inodes) {
            wanted.put(inode, -1);
        }
        SendQueues.find(wanted, table);
        return wanted;
    }

    @Test
    void shouldFindTheQueuesOfSockets() {
        assertThat(find(TABLE, "1907", "1908")).isEqualTo(Map.of("1907", 0, "1908", 0xa190));
    }

    @Test
    void shouldTakeNoOtherNumberForThatOfASocket() {
        assertThat(find(TABLE, "190", "907", "4711")).isEqualTo(Map.of("190", -1, "907", -1, "4711", -1));
    }

    @Test
    void shouldNotFindWhatIsNotThere() {
        assertThat(find("", "1908")).isEqualTo(Map.of("1908", -1));
        assertThat(find("1908", "1908")).isEqualTo(Map.of("1908", -1));
    }

    @Test
    void shouldReadForASmallShareOfTheTime() throws IOException {
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(0xa190);
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(UNKNOWN);
        now += 19 * READING_NANOS;
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(UNKNOWN);
        assertThat(readings).isEqualTo(1);
        now += READING_NANOS;
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(0xa190);
        assertThat(readings).isEqualTo(2);
    }

    /** Its thread may not have run meanwhile, and somebody may wait for the answer. */
    @Test
    void shouldReadAgainSoonBehindAReadingThatTookLong() throws IOException {
        readingNanos = 4 * LONGEST_PAUSE_NANOS;
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(0xa190);
        now += LONGEST_PAUSE_NANOS - 1;
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(UNKNOWN);
        now++;
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(0xa190);
    }

    @Test
    void shouldAnswerEverybodyWhoHasAskedByOneReading() throws IOException {
        queues.bytes("1907", OPEN);
        for (int i = 0; i < 100; i++) {
            assertThat(queues.bytes("1" + i, OPEN)).isEqualTo(UNKNOWN);
        }
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(UNKNOWN);
        now += 20 * READING_NANOS;
        assertThat(queues.bytes("10", OPEN)).isZero();
        for (int i = 1; i < 100; i++) {
            assertThat(queues.bytes("1" + i, OPEN)).isZero();
        }
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(0xa190);
        assertThat(readings).isEqualTo(2);
    }

    /** What was sent behind an answer is the matter of a new question. */
    @Test
    void shouldGiveAnAnswerOnce() throws IOException {
        queues.bytes("1907", OPEN);
        queues.bytes("1908", OPEN);
        now += 20 * READING_NANOS;
        queues.bytes("1907", OPEN);
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(0xa190);
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(UNKNOWN);
    }

    /** An answer from before the end would say nothing of what was sent between. */
    @Test
    void shouldTakeAQuestionInAnotherStateForAnotherOne() throws IOException {
        queues.bytes("1907", OPEN);
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(UNKNOWN);
        now += 20 * READING_NANOS;
        queues.bytes("1907", OPEN);
        assertThat(queues.bytes("1908", ENDED)).isEqualTo(UNKNOWN);
        now += 20 * READING_NANOS;
        table = TABLE.replace("0000A190", "00000007");
        assertThat(queues.bytes("1908", ENDED)).isEqualTo(7);
    }

    @Test
    void shouldForgetAnswersThatNobodyCameBackFor() throws IOException {
        queues.bytes("1907", OPEN);
        queues.bytes("1908", OPEN);
        for (int i = 0; i < 2; i++) {
            now += 20 * READING_NANOS;
            queues.bytes("1907", OPEN);
        }
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(UNKNOWN);
    }

    @Test
    void shouldAskAgainWhereTheTableCannotBeRead() throws IOException {
        fails = true;
        assertThatThrownBy(() -> queues.bytes("1908", OPEN)).isInstanceOf(IOException.class);
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(UNKNOWN);
        fails = false;
        now += 20 * READING_NANOS;
        assertThat(queues.bytes("1908", OPEN)).isEqualTo(0xa190);
    }
}
