package org.ucxnio.bench.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The latencies of a process that keeps up a load of its own, and tells them to the process that measures. */
final class ToldLatencies implements LatencySource {
    private final int port;

    /** Those that are told on {@code port} of this host. */
    ToldLatencies(int port) {
        this.port = port;
    }

    /** Tells on {@code port} what {@code sources} have had since the last question, after {@code check}. */
    static void tell(int port, List<? extends LatencySource> sources, Runnable check) throws IOException {
        Teller.start(port, out -> {
            Histogram histogram = Latencies.emptyHistogram();
            sources.forEach(each -> each.drainTo(histogram));
            check.run();
            byte[] text = Latencies.encode(histogram).getBytes(StandardCharsets.US_ASCII);
            out.writeInt(text.length);
            out.write(text);
        });
    }

    @Override
    public void drainTo(Histogram histogram) {
        byte[] text = Teller.ask(port, in -> in.readNBytes(in.readInt()));
        histogram.add(Latencies.decode(new String(text, StandardCharsets.US_ASCII)));
    }
}
