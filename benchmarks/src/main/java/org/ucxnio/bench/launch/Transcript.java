package org.ucxnio.bench.launch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.ucxnio.bench.child.Carried;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.measure.Latencies;

/** What a measured JVM said, by kind of line. Thread-safe. */
public final class Transcript {
    private final Map<String, List<String>> lines = new LinkedHashMap<>();
    private boolean ended;

    synchronized void add(String word, String text) {
        lines.computeIfAbsent(word, key -> new ArrayList<>()).add(text);
        notifyAll();
    }

    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Waits until {@code count} lines of kind {@code word} are there; false if they never come or not in time. */
    synchronized boolean await(String word, int count, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (lines.getOrDefault(word, List.of()).size() < count) {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (ended || millis <= 0) {
                return false;
            }
            wait(millis);
        }
        return true;
    }

    /** All lines of kind {@code word}, in order. */
    public synchronized List<String> all(String word) {
        return List.copyOf(lines.getOrDefault(word, List.of()));
    }

    /** The last line of kind {@code word}, or empty. */
    String last(String word) {
        List<String> all = all(word);
        return all.isEmpty() ? "" : all.get(all.size() - 1);
    }

    /** The figures reported so far. */
    public Map<String, Double> results() {
        Map<String, Double> results = new LinkedHashMap<>();
        for (String line : all(Reporter.RESULT)) {
            int space = line.indexOf(' ');
            results.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
        }
        return results;
    }

    /** The histograms reported so far. */
    Map<String, Histogram> histograms() {
        Map<String, Histogram> histograms = new LinkedHashMap<>();
        for (String line : all(Reporter.HISTOGRAM)) {
            String[] words = line.split(" ");
            histograms.put(words[0], Latencies.decode(words[1]));
        }
        return histograms;
    }

    /** What {@code key} was, by the seconds since the beginning. */
    Map<Double, Double> series(String key) {
        Map<Double, Double> series = new LinkedHashMap<>();
        for (String line : all(Reporter.SERIES)) {
            String[] words = line.split(" ");
            if (words[0].equals(key)) {
                series.put(Double.valueOf(words[1]), Double.valueOf(words[2]));
            }
        }
        return series;
    }

    /** The last word on what the provider carried, with the transports of all that was said: they go with connections. */
    public Carried carried() {
        Carried last = Carried.ABSENT;
        Set<String> lanes = new LinkedHashSet<>();
        for (String line : all(Reporter.CARRIED)) {
            last = Carried.decode(line);
            lanes.addAll(last.lanes());
        }
        return last.withLanes(List.copyOf(lanes));
    }
}
