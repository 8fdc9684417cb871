package org.ucxnio.it.programs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/** A Kafka node that is broker and controller at once. Arguments: port, port of the controller, data directory. */
public final class KafkaBroker {
    private KafkaBroker() {}

    public static void main(String[] arguments) throws Exception {
        Properties properties = properties(arguments[0], arguments[1], arguments[2]);
        Path file = Path.of("server.properties");
        try (var out = Files.newBufferedWriter(file)) {
            properties.store(out, null);
        }
        int status = StorageTool.execute(
                new String[] {"format", "-t", Uuid.randomUuid().toString(), "-c", file.toString()}, System.out);
        if (status != 0) {
            throw new IllegalStateException("The storage tool ended with " + status);
        }
        KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
        server.startup();
        Commands.print("LISTENING " + arguments[0]);
        Commands.serve(Map.of());
    }

    private static Properties properties(String port, String controllerPort, String directory) {
        Properties properties = new Properties();
        properties.setProperty("process.roles", "broker,controller");
        properties.setProperty("node.id", "1");
        properties.setProperty("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        properties.setProperty("controller.listener.names", "CONTROLLER");
        properties.setProperty(
                "listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
        properties.setProperty("log.dirs", directory);
        // One node alone, and a heap that is small.
        properties.setProperty("offsets.topic.replication.factor", "1");
        properties.setProperty("offsets.topic.num.partitions", "1");
        properties.setProperty("group.initial.rebalance.delay.ms", "0");
        properties.setProperty("log.cleaner.dedupe.buffer.size", "2097152");
        return properties;
    }
}
