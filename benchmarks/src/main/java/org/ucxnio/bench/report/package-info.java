/**
 * What stays of a run: files with its figures, tables and plots, and on which machine it was. Imports {@code
 * org.ucxnio.bench.table} and XChart.
 */
package org.ucxnio.bench.report;
