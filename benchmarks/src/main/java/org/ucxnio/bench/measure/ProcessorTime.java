package org.ucxnio.bench.measure;

import com.sun.management.OperatingSystemMXBean;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.ucxnio.bench.child.Reporter;

/** Processor time of this process and of others that tell theirs on a port. */
public final class ProcessorTime {
    /** Stands for this process where a port is asked for. */
    public static final int OWN = 0;

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private ProcessorTime() {}

    /** Processor time that this process used so far, ns. The kernel counts it in steps of 10 ms. */
    public static long own() {
        return SYSTEM.getProcessCpuTime();
    }

    /** Tells every process of this host that asks; says through {@code reporter} on which port. */
    public static void tell(Reporter reporter) throws IOException {
        // Once for nothing: classes load.
        own();
        reporter.clock(Teller.start(Teller.ANY, out -> out.writeLong(own())));
    }

    /** Processor time of the process that tells it on {@code port}, ns; {@link #OWN} is this process. */
    public static long of(int port) {
        return port == OWN ? own() : Teller.ask(port, DataInputStream::readLong);
    }
}
