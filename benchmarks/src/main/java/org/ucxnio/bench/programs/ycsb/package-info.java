/**
 * The workloads of the Yahoo! Cloud Serving Benchmark (YCSB) on servers of this benchmark: YCSB chooses keys and operations, makes the
 * values and verifies what is read; the threads are ours, so that rounds and processor time are measured as everywhere here.
 * Imports {@code org.ucxnio.bench.child}, {@code .measure}, {@code .programs.keyvalue}, {@code .programs.coordination} and YCSB.
 */
package org.ucxnio.bench.programs.ycsb;
