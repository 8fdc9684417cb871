package org.ucxnio.bench.report;

import org.ucxnio.bench.table.Unit;

/**
 * One figure of one column.
 *
 * @param benchmark the benchmark's name
 * @param axis what a sweep varies, or empty
 * @param point the value of that, or empty
 * @param column what it was measured on
 * @param figure the figure's name
 * @param unit its unit; values are in base units: per second, bytes per second, or the unit itself
 * @param runs how many runs there were
 * @param median median over the runs
 * @param min the smallest
 * @param max the largest
 * @param carrier what carried the bytes
 */
public record Measurement(
        String benchmark,
        String axis,
        String point,
        String column,
        String figure,
        Unit unit,
        int runs,
        double median,
        double min,
        double max,
        String carrier) {}
