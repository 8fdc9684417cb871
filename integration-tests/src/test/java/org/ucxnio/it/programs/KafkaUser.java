package org.ucxnio.it.programs;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;

/** Kafka's own clients: makes a topic, produces records, consumes them all and checks each. Arguments: port, records. */
public final class KafkaUser {
    private static final String TOPIC = "records";
    private static final int PARTITIONS = 3;

    private final String server;
    private final int records;

    private KafkaUser(String server, int records) {
        this.server = server;
        this.records = records;
    }

    public static void main(String[] arguments) throws Exception {
        KafkaUser user = new KafkaUser("127.0.0.1:" + arguments[0], Integer.parseInt(arguments[1]));
        user.createTopic();
        user.produce();
        Commands.print("PRODUCED");
        user.consume();
        Commands.print("DONE");
        Commands.serve(Map.of());
    }

    private void createTopic() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", server))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                    .all()
                    .get();
        }
    }

    private void produce() throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", server, "linger.ms", 5);
        try (var producer = new KafkaProducer<>(settings, new IntegerSerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>(records);
            for (int i = 0; i < records; i++) {
                sent.add(producer.send(new ProducerRecord<>(TOPIC, i, value(i))));
            }
            producer.flush();
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        }
    }

    private void consume() {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", server, "group.id", "users", "auto.offset.reset", "earliest");
        BitSet seen = new BitSet(records);
        int[] last = {-1, -1, -1};
        try (var consumer = new KafkaConsumer<>(settings, new IntegerDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            while (seen.cardinality() < records) {
                for (ConsumerRecord<Integer, byte[]> one : consumer.poll(Duration.ofSeconds(1))) {
                    verify(one, seen, last);
                }
            }
            consumer.commitSync();
        }
    }

    private static void verify(ConsumerRecord<Integer, byte[]> one, BitSet seen, int... last) {
        int number = one.key();
        byte[] expected = value(number);
        if (!ByteBuffer.wrap(expected).equals(ByteBuffer.wrap(one.value()))) {
            throw new IllegalStateException("Wrong value of record " + number);
        }
        if (seen.get(number) || number <= last[one.partition()]) {
            throw new IllegalStateException("Record " + number + " came twice or late");
        }
        seen.set(number);
        last[one.partition()] = number;
    }

    private static byte[] value(int number) {
        return Patterns.array(number, 20 + number % 200);
    }
}
