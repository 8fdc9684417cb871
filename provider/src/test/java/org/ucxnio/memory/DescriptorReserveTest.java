package org.ucxnio.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class DescriptorReserveTest {
    private static final ByteBuffer MAPPED = ByteBuffer.allocate(1);

    private int calls;

    /** Descriptors that nobody has. */
    private int free = 1;

    private final DescriptorReserve reserve = new DescriptorReserve() {
        @Override
        Closeable open() throws IOException {
            take();
            return () -> free++;
        }
    };

    private void take() throws IOException {
        if (free == 0) {
            throw new IOException("Too many open files");
        }
        free--;
    }

    private ByteBuffer map() throws IOException {
        calls++;
        take();
        free++;
        return MAPPED;
    }

    @Test
    void shouldCallOnceWhereThereIsADescriptor() throws IOException {
        assertThat(reserve.with(this::map)).isSameAs(MAPPED);
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void shouldLetGoOfWhatItHasKept() throws IOException {
        reserve.keep();
        assertThat(reserve.with(this::map)).isSameAs(MAPPED);
        assertThat(reserve.with(this::map)).as("and keep another one").isSameAs(MAPPED);
    }

    /** Else bytes that are there would not be read for good, as nobody asks for them any more. */
    @Test
    void shouldWaitForOneThatAnotherThreadTakesMeanwhile() throws IOException {
        reserve.keep();
        assertThat(reserve.with(() -> {
                    boolean taken = calls > 0 && calls < 5;
                    boolean back = calls == 5;
                    free = taken ? 0 : back ? 1 : free;
                    return map();
                }))
                .isSameAs(MAPPED);
        calls = 0;
        assertThat(reserve.with(this::map)).as("it has one again").isSameAs(MAPPED);
    }

    @Test
    void shouldFailAsTheCallDoesWhereNothingWasKept() {
        free = 0;
        assertThatThrownBy(() -> reserve.with(this::map)).hasMessage("Too many open files");
        assertThat(calls).isEqualTo(1);
    }

    /** A peer that has gone is not waited for. */
    @Test
    void shouldFailSoonWhereItIsNotForWantOfADescriptor() {
        reserve.keep();
        assertThatThrownBy(() -> reserve.with(() -> {
                    calls++;
                    throw new IOException("No such file");
                }))
                .hasMessage("No such file");
        assertThat(calls).isEqualTo(3);
    }
}
