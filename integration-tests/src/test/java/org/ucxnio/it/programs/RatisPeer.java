package org.ucxnio.it.programs;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.ConfUtils;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.examples.counter.server.CounterStateMachine;
import org.apache.ratis.examples.filestore.FileStoreCommon;
import org.apache.ratis.examples.filestore.FileStoreStateMachine;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.netty.NettyConfigKeys;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.TimeDuration;

/**
 * A peer of {@link RatisGroups} with the state machines that Ratis has as examples. {@code leads} answers whether it leads both groups.
 * Arguments: type of messages, own port, ports of all peers, data directory.
 */
public final class RatisPeer {
    private RatisPeer() {}

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[1]);
        RaftProperties properties = properties(arguments[0], port, new File(arguments[3]));
        RaftPeerId id = RaftPeerId.valueOf("peer-" + port);
        RaftServer server = RaftServer.newBuilder()
                .setServerId(id)
                .setProperties(properties)
                .setGroup(RatisGroups.group(RatisGroups.COUNTER, arguments[2]))
                .setStateMachineRegistry(group -> group.equals(RatisGroups.COUNTER)
                        ? new CounterStateMachine()
                        : new FileStoreStateMachine(properties))
                .build();
        server.start();
        server.groupManagement(GroupManagementRequest.newAdd(
                ClientId.randomId(), id, 1, RatisGroups.group(RatisGroups.FILES, arguments[2])));
        Commands.print("LISTENING " + port);
        Commands.serve(Map.of(
                "leads", () -> "LEADS " + (leads(server, RatisGroups.COUNTER) && leads(server, RatisGroups.FILES))));
    }

    private static boolean leads(RaftServer server, RaftGroupId group) throws IOException {
        return server.getDivision(group).getInfo().isLeaderReady();
    }

    private static RaftProperties properties(String rpcType, int port, File directory) {
        RaftProperties properties = RatisGroups.properties(rpcType);
        GrpcConfigKeys.Server.setHost(properties, "127.0.0.1");
        GrpcConfigKeys.Server.setPort(properties, port);
        NettyConfigKeys.Server.setHost(properties, "127.0.0.1");
        NettyConfigKeys.Server.setPort(properties, port);
        RaftServerConfigKeys.setStorageDir(properties, List.of(new File(directory, "log")));
        ConfUtils.setFiles(
                properties::setFiles, FileStoreCommon.STATEMACHINE_DIR_KEY, List.of(new File(directory, "files")));
        // A leader that a busy machine keeps waiting is not gone.
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, TimeDuration.valueOf(600, TimeUnit.MILLISECONDS));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, TimeDuration.valueOf(900, TimeUnit.MILLISECONDS));
        RaftServerConfigKeys.Read.setOption(properties, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
        // Waiting for a disk that others keep busy is not what is tested.
        RaftServerConfigKeys.Log.setUnsafeFlushEnabled(properties, true);
        return properties;
    }
}
