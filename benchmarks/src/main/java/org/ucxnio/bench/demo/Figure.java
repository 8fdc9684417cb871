package org.ucxnio.bench.demo;

import org.ucxnio.bench.table.Unit;

/**
 * A line of the table.
 *
 * @param key its name in the client's report
 * @param label its name in the table
 * @param unit its unit
 * @param lowerIsBetter which way is better
 */
record Figure(String key, String label, Unit unit, boolean lowerIsBetter) {
    static Figure lower(String key, String label, Unit unit) {
        return new Figure(key, label, unit, true);
    }

    static Figure higher(String key, String label, Unit unit) {
        return new Figure(key, label, unit, false);
    }
}
