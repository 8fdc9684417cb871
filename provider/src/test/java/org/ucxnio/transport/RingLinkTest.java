package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.config.Config;
import org.ucxnio.ring.RingLayout;
import org.ucxnio.ring.RingWriter;

/** Links over rings: how they come about, grow, shrink, fill up, break and end. */
@Timeout(60)
class RingLinkTest {
    private static TwoSides open(String ringBytes) throws IOException {
        TwoSides sides = TwoSides.open(Processes.fresh(Config.RING, ringBytes)).frozen();
        sides.settle();
        return sides;
    }

    private static Link link(TwoSides.Side side) {
        return side.connection.link();
    }

    private static int dataBytes(TwoSides.Side side) {
        return link(side).ring.layout().dataBytes();
    }

    /** Moves bytes from left to right, all of which must arrive. */
    private static void move(TwoSides sides, int from, int count) throws IOException {
        int written = from;
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        while (read.size() < count) {
            written += Pattern.write(sides.left.connection, written, from + count - written);
            sides.settle();
            read.writeBytes(Pattern.read(sides.right.connection, count));
            sides.settle();
        }
        assertThat(read.toByteArray()).isEqualTo(Pattern.bytes(from, count));
    }

    @Test
    void shouldBringBytesThroughTheRingOnceThereIsOne() throws IOException {
        try (TwoSides sides = open("64k")) {
            assertThat(link(sides.left).ring).isNotNull();
            assertThat(link(sides.right).ring).isNotNull();
            long before = link(sides.left).ring.pieces();

            move(sides, 0, 100_000);

            assertThat(link(sides.left).ring.pieces()).isGreaterThan(before + 2);
            assertThat(sides.left.worker().lanes()).singleElement().asString().startsWith("ring over ");
        }
    }

    @Test
    void shouldUseMessagesWhereRingsAreOff() throws IOException {
        try (TwoSides sides = open("0")) {
            move(sides, 0, 100_000);
            assertThat(link(sides.left).ring).isNull();
        }
    }

    @Test
    void shouldKeepTheOrderOfWhatWasWrittenBeforeThereWasARing() throws IOException {
        TwoSides sides = TwoSides.open(Processes.fresh(Config.RING, "64k"));
        try (sides) {
            sides.left.bind();
            Pattern.write(sides.left.connection, 0, 50_000);
            sides.frozen();
            int written = 50_000;
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            while (written < 400_000 || read.size() < written) {
                written += Pattern.write(sides.left.connection, written, 400_000 - written);
                sides.progress();
                sides.deliverControl();
                read.writeBytes(Pattern.read(sides.right.connection, 70_000));
            }
            assertThat(read.toByteArray()).isEqualTo(Pattern.bytes(0, written));
            assertThat(link(sides.left).ring).isNotNull();
        }
    }

    /** The right side has not looked since the left one began to write to a ring: there is a message that says so, and a record. */
    private static TwoSides withAnUnseenRing() throws IOException {
        TwoSides sides = TwoSides.open(Processes.fresh(Config.RING, "64k")).frozen();
        while (link(sides.left).ring == null) {
            TwoSides.progress(sides.right);
            TwoSides.progress(sides.left);
        }
        long before = link(sides.left).ring.pieces();
        assertThat(Pattern.write(sides.left.connection, 0, 100)).isEqualTo(100);
        assertThat(link(sides.left).ring.pieces()).isGreaterThan(before);
        return sides;
    }

    @Test
    void shouldTakeInWithOneLookWhatLiesInARingThatTheLookBringsIntoUse() throws IOException {
        try (TwoSides sides = withAnUnseenRing()) {
            assertThat(sides.right.connection.readyOps() & SelectionKey.OP_READ).isZero();
            TwoSides.progress(sides.right);
            assertThat(sides.right.connection.readyOps() & SelectionKey.OP_READ).isEqualTo(SelectionKey.OP_READ);
        }
    }

    @Test
    void shouldReadAtOnceWhatLiesInARingThatTheReadBringsIntoUse() throws IOException {
        try (TwoSides sides = withAnUnseenRing()) {
            assertThat(Pattern.read(sides.right.connection, 200)).isEqualTo(Pattern.bytes(0, 100));
        }
    }

    @Test
    void shouldGrowWithUseToTheBoundAndShrinkWhenIdle() throws IOException {
        try (TwoSides sides = open("512k")) {
            assertThat(dataBytes(sides.left)).isEqualTo(RingLayout.MIN_DATA_BYTES);
            int moved = 0;
            while (moved < 8 << 20) {
                move(sides, moved, 200_000);
                moved += 200_000;
            }
            assertThat(dataBytes(sides.left)).isEqualTo(512 << 10);
            assertThat(dataBytes(sides.right))
                    .as("next to nothing comes this way")
                    .isEqualTo(RingLayout.MIN_DATA_BYTES);
            long large = sides.right.worker().ringBytes();

            sides.right.worker().tidy();
            sides.settle();
            assertThat(dataBytes(sides.left)).as("it was in use").isEqualTo(512 << 10);
            sides.right.worker().tidy();
            sides.settle();

            assertThat(dataBytes(sides.left)).isEqualTo(RingLayout.MIN_DATA_BYTES);
            assertThat(sides.right.worker().ringBytes()).isLessThan(large / 2);
            move(sides, moved, 200_000);
        }
    }

    @Test
    void shouldHoldBackWhatARingHasNoRoomFor() throws IOException {
        try (TwoSides sides = open("64k")) {
            List<TwoSides> others = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                others.add(sides.another().bound());
            }
            sides.settle();
            for (TwoSides other : others) {
                assertThat(Pattern.write(other.left.connection, 0, 50_000)).isEqualTo(50_000);
                other.left.connection.shutdownOutput();
            }
            sides.settle();
            for (TwoSides other : others) {
                ByteArrayOutputStream read = new ByteArrayOutputStream();
                for (byte[] bytes = new byte[0]; bytes != null; bytes = Pattern.read(other.right.connection, 60_000)) {
                    read.writeBytes(bytes);
                    sides.settle();
                }
                assertThat(read.toByteArray()).isEqualTo(Pattern.bytes(0, 50_000));
            }
            others.forEach(TwoSides::close);
        }
    }

    @Test
    void shouldBreakTheConnectionsOfAPeerThatLies() throws IOException {
        try (TwoSides sides = open("64k")) {
            RingWriter ring = link(sides.left).ring;
            int payloadAt = ring.reserve(8);
            long sequence = ring.pieces() + 1;
            // A commit word, 16 bytes in front of the payload, that says a length greater than the ring.
            ring.memory().putLong(payloadAt - 16, sequence << 32 | 1 << 28 | 5 << 20);
            sides.settle();
            assertThatThrownBy(() -> Pattern.read(sides.right.connection, 1)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldLeaveNoMemoryBehind() throws IOException {
        Processes processes = Processes.fresh(Config.RING, "256k");
        for (int i = 0; i < 20; i++) {
            try (TwoSides sides = TwoSides.open(processes).frozen()) {
                sides.settle();
                move(sides, 0, 300_000);
            }
        }
        await().until(() -> processes.ucx.openMemory() == 0);
    }

    @Test
    void shouldTakeWhatIsNoOfferForNone() {
        assertThatThrownBy(() -> RingOffer.parse(new byte[3])).isInstanceOf(IOException.class);
        byte[] offer = new RingOffer(1, 65_536, new byte[] {1, 2}, new byte[] {3}).toBytes();
        for (int length = 0; length < offer.length; length++) {
            byte[] cut = Arrays.copyOf(offer, length);
            assertThatThrownBy(() -> RingOffer.parse(cut)).isInstanceOf(IOException.class);
        }
        offer[4] = 1;
        assertThatThrownBy(() -> RingOffer.parse(offer)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldSayInTheRingWhereTheStreamEnds() throws IOException {
        try (TwoSides sides = open("64k");
                TwoSides other = sides.another().bound()) {
            sides.settle();
            Pattern.write(other.left.connection, 0, 1000);
            other.left.connection.close();

            assertThat(other.left.control.kinds()).containsExactly(TestControl.Kind.BOUND, TestControl.Kind.END);
            other.settle();
            assertThat(Pattern.read(other.right.connection, 2000)).isEqualTo(Pattern.bytes(0, 1000));
            assertThat(Pattern.read(other.right.connection, 1)).isNull();
        }
    }
}
