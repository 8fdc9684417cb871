package org.ucxnio.bench.programs.ratis;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.netty.NettyConfigKeys;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.ucxnio.bench.child.Settings;

/** The peers of this host, and what servers and clients of them are made with. The log of transactions is kept in memory. */
final class Quorum {
    private static final RaftGroupId GROUP =
            RaftGroupId.valueOf(UUID.fromString("5f0c5e2a-6d3b-4a6e-9a51-2f3c0d1e7b48"));

    private final SupportedRpcType rpc;
    private final int[] ports;
    private final RaftGroup group;

    /** Reads {@code rpc}, which is {@code grpc} or {@code netty}, and the {@code ports} of all processes, of which the last is the client. */
    Quorum(Settings settings) {
        rpc = SupportedRpcType.valueOf(settings.text("rpc").toUpperCase(Locale.ROOT));
        int[] all = settings.integers("ports");
        ports = Arrays.copyOf(all, all.length - 1);
        List<RaftPeer> peers = new ArrayList<>();
        for (int i = 0; i < ports.length; i++) {
            peers.add(RaftPeer.newBuilder()
                    .setId(name(i))
                    .setAddress("127.0.0.1:" + ports[i])
                    .build());
        }
        group = RaftGroup.valueOf(GROUP, peers);
    }

    /** Starts peer {@code number}, with its files in {@code directory}. */
    RaftServer startPeer(int number, Path directory) throws IOException {
        RaftProperties properties = properties();
        GrpcConfigKeys.Server.setPort(properties, ports[number]);
        NettyConfigKeys.Server.setPort(properties, ports[number]);
        RaftServerConfigKeys.setStorageDir(properties, List.of(directory.toFile()));
        RaftServerConfigKeys.Log.setUseMemory(properties, true);
        RaftServer server = RaftServer.newBuilder()
                .setGroup(group)
                .setProperties(properties)
                .setServerId(RaftPeerId.valueOf(name(number)))
                .setStateMachine(new Counter())
                .setOption(RaftStorage.StartupOption.FORMAT)
                .build();
        server.start();
        return server;
    }

    /** A client with connections of its own. */
    RaftClient newClient() {
        return RaftClient.newBuilder()
                .setProperties(properties())
                .setRaftGroup(group)
                .build();
    }

    private static String name(int number) {
        return "peer-" + number;
    }

    private RaftProperties properties() {
        RaftProperties properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, rpc);
        return properties;
    }
}
