package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ucxnio.config.Config;

/** The two ends of a connection each end their output and leave their input, in every order, with messages under way or delivered. */
@Timeout(60)
class EndOrdersTest {
    private static final int WRITTEN = 3000;

    private enum Action {
        LEFT_ENDS,
        LEFT_LEAVES,
        RIGHT_ENDS,
        RIGHT_LEAVES
    }

    /** One end, and what it has seen. */
    private static final class End {
        final TwoSides.Side side;
        final boolean resets;
        final boolean reads;
        boolean done;
        int read;
        boolean sawEnd;
        boolean sawReset;

        End(TwoSides.Side side, boolean resets, boolean reads) {
            this.side = side;
            this.resets = resets;
            this.reads = reads;
        }

        void end() {
            done = side.sink.end(resets);
        }

        void leave() throws IOException {
            if (reads) {
                readAll();
            }
            side.source.leave(false);
        }

        private void readAll() throws IOException {
            try {
                byte[] bytes = Pattern.read(side.source, 2 * WRITTEN);
                while (bytes != null && bytes.length > 0) {
                    assertThat(bytes).isEqualTo(Pattern.bytes(read, bytes.length));
                    read += bytes.length;
                    bytes = Pattern.read(side.source, 2 * WRITTEN);
                }
                sawEnd = bytes == null;
            } catch (SocketException e) {
                sawReset = true;
            }
        }
    }

    private static List<List<Action>> orders() {
        List<List<Action>> orders = new ArrayList<>();
        permute(new ArrayList<>(), new ArrayList<>(Arrays.asList(Action.values())), orders);
        return orders;
    }

    private static void permute(List<Action> done, List<Action> left, List<List<Action>> orders) {
        if (left.isEmpty()) {
            orders.add(new ArrayList<>(done));
        }
        for (int i = 0; i < left.size(); i++) {
            Action next = left.remove(i);
            done.add(next);
            permute(done, left, orders);
            done.remove(done.size() - 1);
            left.add(i, next);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "false, false, true",
        "false, false, false",
        "true, false, true",
        "true, false, false",
        "true, true, true",
        "true, true, false"
    })
    void shouldEndAndBeForgottenInEveryOrder(boolean leftResets, boolean rightResets, boolean reads)
            throws IOException {
        try (TwoSides first = TwoSides.open(Processes.sharedStepped(Config.WINDOW, "64k"))) {
            TwoSides spare = first.another();
            int slot = spare.left.id & 0xfffff;
            spare.close();
            for (List<Action> order : orders()) {
                // Behind which of the actions everything is delivered; the last bit: before the first.
                for (int settled = 0; settled < 32; settled++) {
                    TwoSides sides = first.another();
                    assertThat(sides.left.id & 0xfffff)
                            .as("the one before is forgotten")
                            .isEqualTo(slot);
                    assertThat(sides.right.id & 0xfffff)
                            .as("the one before is forgotten")
                            .isEqualTo(slot);
                    try {
                        run(sides, order, settled, new End(sides.left, leftResets, reads), rightResets);
                    } catch (AssertionError | RuntimeException e) {
                        fail(order + ", settled " + Integer.toBinaryString(settled) + ": " + e, e);
                    }
                }
            }
        }
    }

    private static void run(TwoSides sides, List<Action> order, int settled, End left, boolean rightResets)
            throws IOException {
        End right = new End(sides.right, rightResets, left.reads);
        sides.paired();
        for (End end : List.of(left, right)) {
            end.side.sink.switchAt(0);
            assertThat(Pattern.write(end.side.sink, 0, WRITTEN)).isEqualTo(WRITTEN);
        }
        if ((settled & 16) != 0) {
            sides.settle();
        }
        boolean leftEnded = false;
        boolean rightEnded = false;
        for (int i = 0; i < order.size(); i++) {
            switch (order.get(i)) {
                case LEFT_ENDS -> left.end();
                case RIGHT_ENDS -> right.end();
                case LEFT_LEAVES -> {
                    left.leave();
                    check(left, rightEnded, rightResets);
                }
                default -> {
                    right.leave();
                    check(right, leftEnded, left.resets);
                }
            }
            if ((settled >> i & 1) != 0) {
                sides.settle();
                leftEnded |= order.subList(0, i + 1).contains(Action.LEFT_ENDS);
                rightEnded |= order.subList(0, i + 1).contains(Action.RIGHT_ENDS);
            }
        }
        sides.settle();
        for (End end : List.of(left, right)) {
            assertThat(end.side.carried.broken).as("broken").hasValue(0);
            assertThat(end.side.carried.drained).as("drained").hasValue(end.done ? 0 : 1);
        }
    }

    /** @param otherEnded whether the end of the other's stream was delivered before */
    private static void check(End reader, boolean otherEnded, boolean otherResets) {
        if (!reader.reads) {
            return;
        }
        if (otherEnded) {
            assertThat(reader.read).isEqualTo(WRITTEN);
            assertThat(reader.sawReset).isEqualTo(otherResets);
            assertThat(reader.sawEnd).isEqualTo(!otherResets);
        } else if (reader.sawEnd || reader.sawReset) {
            assertThat(reader.read).as("the end comes behind all bytes").isEqualTo(WRITTEN);
        }
    }
}
