/**
 * Starts the measured JVMs in pairs or one after another, collects what they print and shows all providers side by side.
 * Everything that is started is ended again, whatever way this JVM ends. Imports {@code org.ucxnio.bench.child},
 * {@code .measure}, {@code .report}, {@code .table} and the names of main classes.
 */
package org.ucxnio.bench.launch;
