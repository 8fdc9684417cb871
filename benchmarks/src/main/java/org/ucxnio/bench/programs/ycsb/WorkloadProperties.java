package org.ucxnio.bench.programs.ycsb;

import java.util.Properties;
import org.ucxnio.bench.child.Settings;
import site.ycsb.Client;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** YCSB's core workloads by the letters that it gives them. */
final class WorkloadProperties {
    private static final String READS = CoreWorkload.READ_PROPORTION_PROPERTY;
    private static final String UPDATES = CoreWorkload.UPDATE_PROPORTION_PROPERTY;
    private static final String CHANGES = CoreWorkload.READMODIFYWRITE_PROPORTION_PROPERTY;

    private WorkloadProperties() {}

    /** Those of the settings {@code workload}, {@code records}, {@code fields}, {@code field-bytes} and {@code threads}. */
    static Properties of(Settings settings) {
        Properties properties = new Properties();
        properties.setProperty(Client.RECORD_COUNT_PROPERTY, settings.text("records"));
        // Only asked for where a workload inserts records, which none of these does.
        properties.setProperty(Client.OPERATION_COUNT_PROPERTY, settings.text("records"));
        properties.setProperty(Client.THREAD_COUNT_PROPERTY, settings.text("threads"));
        properties.setProperty(CoreWorkload.FIELD_COUNT_PROPERTY, settings.text("fields"));
        properties.setProperty(CoreWorkload.FIELD_LENGTH_PROPERTY, settings.text("field-bytes"));
        properties.setProperty(CoreWorkload.REQUEST_DISTRIBUTION_PROPERTY, "zipfian");
        properties.setProperty(CoreWorkload.WRITE_ALL_FIELDS_PROPERTY, "true");
        properties.setProperty(CoreWorkload.DATA_INTEGRITY_PROPERTY, "true");
        properties.setProperty(Measurements.MEASUREMENT_TYPE_PROPERTY, "hdrhistogram");
        properties.setProperty(READS, "0");
        properties.setProperty(UPDATES, "0");
        String workload = settings.text("workload");
        switch (workload) {
            case "a" -> mix(properties, UPDATES, "0.5", "0.5");
            case "b" -> mix(properties, UPDATES, "0.95", "0.05");
            case "c" -> properties.setProperty(READS, "1");
            case "f" -> mix(properties, CHANGES, "0.5", "0.5");
            default -> throw new IllegalArgumentException("no workload " + workload + "; there are a, b, c and f");
        }
        return properties;
    }

    private static void mix(Properties properties, String other, String reads, String others) {
        properties.setProperty(READS, reads);
        properties.setProperty(other, others);
    }
}
