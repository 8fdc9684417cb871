package org.ucxnio.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.testing.ChildJvm;

@Timeout(60)
class DescriptorsTest {
    private static Path file(int fd) {
        return Path.of("/proc/self/fd", Integer.toString(fd));
    }

    @Test
    void shouldKnowTheDescriptorOfAChannel() throws IOException {
        try (SocketChannel channel = SocketChannel.open()) {
            assertThat(Files.readSymbolicLink(file(Descriptors.of(channel))).toString())
                    .startsWith("socket:");
        }
    }

    @Test
    void shouldKnowNothingOfForeignChannels() throws IOException {
        ForeignChannel channel = new ForeignChannel();
        assertThatIOException().isThrownBy(() -> Descriptors.of(channel));
        channel.close();
        Descriptors.releaseIfClosed(channel);
    }

    @Test
    void shouldReleaseAChannelThatLostItsLastSelectorWhenClosed() throws IOException {
        SocketChannel channel = SocketChannel.open();
        ForgetfulSelector selector = new ForgetfulSelector();
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
        Path file = file(Descriptors.of(channel));
        Descriptors.releaseIfClosed(channel);
        assertThat(channel.isOpen()).isTrue();
        channel.close();
        Descriptors.releaseIfClosed(channel);
        assertThat(file).as("still registered").existsNoFollowLinks();
        selector.forget();
        assertThat(file).existsNoFollowLinks();
        Descriptors.releaseIfClosed(channel);
        assertThat(file).doesNotExist();
    }

    /** In a JVM without any flag, which prints a line about the first native call. */
    @Test
    void shouldLoadNothingNativeForChannelsThatLive() throws Exception {
        try (ChildJvm child = ChildJvm.start(List.of(), Map.of(), DescriptorsTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output()).isEmpty();
        }
    }

    public static void main(String[] arguments) throws IOException {
        try (Selector selector = Selector.open()) {
            SocketChannel channel = SocketChannel.open();
            Descriptors.releaseIfClosed(channel);
            channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            channel.close();
            Descriptors.releaseIfClosed(channel);
        }
    }

    private static final class ForeignChannel extends AbstractSelectableChannel {
        ForeignChannel() {
            super(SelectorProvider.provider());
        }

        @Override
        protected void implCloseSelectableChannel() {}

        @Override
        protected void implConfigureBlocking(boolean block) {}

        @Override
        public int validOps() {
            return SelectionKey.OP_READ;
        }
    }

    /** Lets go of its keys without a look at their channels. */
    private static final class ForgetfulSelector extends AbstractSelector {
        private ForgottenKey key;

        ForgetfulSelector() {
            super(SelectorProvider.provider());
        }

        @Override
        protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
            key = new ForgottenKey(channel, this);
            return key;
        }

        void forget() {
            deregister(key);
        }

        @Override
        protected void implCloseSelector() {}

        @Override
        public Set<SelectionKey> keys() {
            return Set.of(key);
        }

        @Override
        public Set<SelectionKey> selectedKeys() {
            return Set.of();
        }

        @Override
        public int selectNow() {
            return 0;
        }

        @Override
        public int select(long timeout) {
            return 0;
        }

        @Override
        public int select() {
            return 0;
        }

        @Override
        public Selector wakeup() {
            return this;
        }
    }

    private static final class ForgottenKey extends AbstractSelectionKey {
        private final AbstractSelectableChannel channel;
        private final Selector selector;

        ForgottenKey(AbstractSelectableChannel channel, Selector selector) {
            this.channel = channel;
            this.selector = selector;
        }

        @Override
        public AbstractSelectableChannel channel() {
            return channel;
        }

        @Override
        public Selector selector() {
            return selector;
        }

        @Override
        public int interestOps() {
            return 0;
        }

        @Override
        public SelectionKey interestOps(int ops) {
            return this;
        }

        @Override
        public int readyOps() {
            return 0;
        }
    }
}
