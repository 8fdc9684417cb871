/**
 * A Kafka broker, and Kafka's own tools that measure it: {@code kafka-producer-perf-test} and {@code kafka-consumer-perf-test}.
 * Nothing in it knows of the provider it runs on. Imports {@code org.ucxnio.bench.child}, {@code .measure} and Kafka.
 */
package org.ucxnio.bench.programs.kafka;
