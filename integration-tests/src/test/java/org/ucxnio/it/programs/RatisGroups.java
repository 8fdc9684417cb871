package org.ucxnio.it.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.util.TimeDuration;

/** What peers and users of a Ratis cluster agree on: a counter and a file store, on the same peers. */
final class RatisGroups {
    static final RaftGroupId COUNTER = RaftGroupId.valueOf(new UUID(0, 1));
    static final RaftGroupId FILES = RaftGroupId.valueOf(new UUID(0, 2));

    private RatisGroups() {}

    /** A group of the peers at these ports, separated by commas. The first one that lives leads. */
    static RaftGroup group(RaftGroupId id, String ports) {
        List<RaftPeer> peers = new ArrayList<>();
        String[] all = ports.split(",");
        for (String port : all) {
            peers.add(RaftPeer.newBuilder()
                    .setId("peer-" + port)
                    .setAddress("127.0.0.1:" + port)
                    .setPriority(all.length - peers.size())
                    .build());
        }
        return RaftGroup.valueOf(id, peers);
    }

    /** Settings of both sides: what carries their messages. */
    static RaftProperties properties(String rpcType) {
        RaftProperties properties = new RaftProperties();
        SupportedRpcType type = SupportedRpcType.valueOf(rpcType);
        RaftConfigKeys.Rpc.setType(properties, type);
        if (type == SupportedRpcType.NETTY) {
            // Behind the death of a peer several requests in a row may get no answer, and each is sent again after this
            // time.
            RaftClientConfigKeys.Rpc.setRequestTimeout(properties, TimeDuration.ONE_SECOND);
        }
        return properties;
    }
}
