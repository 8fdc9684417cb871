package org.ucxnio.bench.report;

import org.ucxnio.bench.table.Table;

/**
 * A table under its title.
 *
 * @param title its title, or empty
 * @param table the table
 */
public record Section(String title, Table table) {}
