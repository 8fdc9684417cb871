/**
 * Starts the measured JVMs in pairs, one core each, collects what they print and shows the two providers side by side.
 * Everything that is started is ended again, whatever way this JVM ends. Imports {@code org.ucxnio.bench.child},
 * {@code .table} and the names of main classes.
 */
package org.ucxnio.bench.launch;
