package org.ucxnio.bench.launch;

import java.util.ArrayList;
import java.util.List;
import org.ucxnio.bench.table.Unit;

/** Benchmarks of one connection over all sizes of messages, and over all sizes of UCX messages. */
final class Sweeps {
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;
    private static final Axis SIZES = Axis.powersOfTwo("size", "size, B", 1, MIB);
    private static final int[] SLICES_KIB = {4, 8, 16, 32, 64};

    private Sweeps() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        for (String mode : new String[] {"blocking", "selector"}) {
            boolean selector = mode.equals("selector");
            all.add(Scenario.of(
                            "sweep-rtt-" + mode,
                            "round trip, " + mode,
                            "ping-pong",
                            Catalogue.p50(),
                            Catalogue.p99(),
                            Catalogue.cpuClient(),
                            Catalogue.cpuServer())
                    .with("selector", selector)
                    .over(SIZES)
                    .also(Provider.UNIX, Provider.RAW_UCX, Provider.AERON));
            all.add(throughput("sweep-stream-" + mode, "one way, " + mode, "stream")
                    .with("selector", selector)
                    .with("no-delay", true)
                    .over(SIZES)
                    .also(Provider.UNIX, Provider.RAW_UCX, Provider.AERON));
            all.add(throughput("sweep-duplex-" + mode, "both ways at once, each way, " + mode, "duplex")
                    .with("selector", selector)
                    .over(SIZES)
                    .also(Provider.UNIX));
        }
        all.addAll(slices());
        return all;
    }

    private static Scenario throughput(String name, String title, String program) {
        return Scenario.of(
                name,
                title,
                program,
                Metric.higher("bytes", "bytes", Unit.MEGABYTES_PER_SECOND),
                Metric.higher("rate", "messages", Unit.MILLIONS_PER_SECOND),
                Catalogue.cpuClient(),
                Catalogue.cpuServer());
    }

    /** The largest message that UCX is given, up to the largest that {@code ucxnio.frame} allows. */
    private static List<Scenario> slices() {
        List<Scenario> slices = new ArrayList<>();
        for (int slice : SLICES_KIB) {
            slices.add(Scenario.of(
                            "slices-" + slice + 'k',
                            "one way 64 KiB over UCX messages of " + slice + " KiB, selector",
                            "stream",
                            Metric.higher("bytes", "bytes", Unit.GIGABYTES_PER_SECOND),
                            Catalogue.cpuClient(),
                            Catalogue.cpuServer())
                    .with("size", 64 * KIB)
                    .with("selector", true)
                    .withOurFlags("-Ducxnio.frame=" + slice + 'k')
                    .only(Provider.UCX));
        }
        return slices;
    }
}
