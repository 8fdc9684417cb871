package org.ucxnio.channel;

import java.io.IOException;

/** The same where messages carry the connection. */
class MessageSwitchTest extends SwitchTest {
    @Override
    ChannelPair newPair() throws IOException {
        return new ChannelPair(TestMessages.instance());
    }
}
