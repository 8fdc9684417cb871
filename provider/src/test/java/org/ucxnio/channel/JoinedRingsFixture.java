package org.ucxnio.channel;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.link.Lane;

/** A connection over TCP, and lanes of rings that its ends may be told of: the client's, and the server's. */
@Timeout(60)
abstract class JoinedRingsFixture {
    ChannelPair pair;
    Lane[] lanes;

    @BeforeEach
    void open() throws IOException {
        pair = new ChannelPair();
        lanes = pair.joinedRings();
    }

    @AfterEach
    void close() throws IOException {
        pair.close();
    }
}
