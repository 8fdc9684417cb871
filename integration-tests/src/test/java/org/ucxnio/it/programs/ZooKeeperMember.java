package org.ucxnio.it.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.security.sasl.SaslException;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.ucxnio.it.harness.Threads;

/**
 * A member of a ZooKeeper quorum, run by ZooKeeper's own main class. {@code state} answers whether it leads or follows. Arguments: rank,
 * data directory, ports for clients, ports for followers, ports for elections; those of all members, separated by commas.
 */
public final class ZooKeeperMember {
    private ZooKeeperMember() {}

    public static void main(String[] arguments) throws Exception {
        ZooKeeperSettings.apply();
        Path directory = Files.createDirectories(Path.of(arguments[1]));
        Files.writeString(directory.resolve("myid"), arguments[0]);
        Path file = directory.resolve("zoo.cfg");
        Files.write(
                file,
                lines(
                        Integer.parseInt(arguments[0]),
                        directory,
                        arguments[2].split(","),
                        arguments[3].split(","),
                        arguments[4].split(",")));
        QuorumPeerConfig config = new QuorumPeerConfig();
        config.parse(file.toString());
        Main main = new Main();
        Threads.daemon("zookeeper", () -> {
            try {
                main.runFromConfig(config);
            } catch (Exception e) {
                Commands.print("SERVER FAILED " + e);
                e.printStackTrace();
            }
        });
        Commands.print("STARTED");
        Commands.serve(Map.of("state", () -> "STATE " + main.state()));
    }

    private static List<String> lines(
            int rank, Path directory, String[] clientPorts, String[] followerPorts, String[] electionPorts)
            throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "tickTime=500",
                "initLimit=20",
                "syncLimit=10",
                "dataDir=" + directory,
                "clientPortAddress=127.0.0.1",
                "clientPort=" + clientPorts[rank]));
        for (int i = 0; i < clientPorts.length; i++) {
            lines.add("server." + i + "=127.0.0.1:" + followerPorts[i] + ":" + electionPorts[i]);
        }
        return lines;
    }

    private static final class Main extends QuorumPeerMain {
        private volatile QuorumPeer peer;

        @Override
        protected QuorumPeer getQuorumPeer() throws SaslException {
            peer = super.getQuorumPeer();
            return peer;
        }

        String state() {
            QuorumPeer started = peer;
            return started == null ? "starting" : started.getServerState();
        }
    }
}
