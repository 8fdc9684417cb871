package org.ucxnio.bench.programs.kafka;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/** A Kafka node that is broker and controller at once. */
public final class Broker {
    private final KafkaRaftServer server;

    /**
     * @param port the port it listens on
     * @param controllerPort the port of the controller in it
     * @param directory where it keeps its files; nobody else's
     */
    public Broker(int port, int controllerPort, Path directory) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("process.roles", "broker,controller");
        properties.setProperty("node.id", "1");
        properties.setProperty("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        properties.setProperty("controller.listener.names", "CONTROLLER");
        properties.setProperty(
                "listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
        properties.setProperty("log.dirs", directory.resolve("log").toString());
        properties.setProperty("num.partitions", "1");
        // One node alone, and a heap that is small.
        properties.setProperty("offsets.topic.replication.factor", "1");
        properties.setProperty("offsets.topic.num.partitions", "1");
        properties.setProperty("group.initial.rebalance.delay.ms", "0");
        properties.setProperty("log.cleaner.dedupe.buffer.size", "2097152");
        Path file = directory.resolve("server.properties");
        try (Writer out = Files.newBufferedWriter(file)) {
            properties.store(out, null);
        }
        int status = StorageTool.execute(
                new String[] {"format", "-t", Uuid.randomUuid().toString(), "-c", file.toString()}, System.out);
        if (status != 0) {
            throw new IOException("the storage tool ended with " + status);
        }
        server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
        server.startup();
    }

    public void end() {
        server.shutdown();
        server.awaitShutdown();
    }
}
