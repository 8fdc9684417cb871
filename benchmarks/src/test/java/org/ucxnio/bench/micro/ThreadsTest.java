package org.ucxnio.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThreadsTest {
    @Test
    void shouldMakeThreadsOfBothKinds() {
        assertThat(Threads.unstarted(false, "one", () -> {}))
                .matches(thread -> !thread.isVirtual() && thread.isDaemon())
                .hasFieldOrPropertyWithValue("name", "one");
        assertThat(Threads.unstarted(true, "two", () -> {}))
                .matches(Thread::isVirtual)
                .hasFieldOrPropertyWithValue("name", "two");
    }
}
