/**
 * ZooKeeper's own server, and YCSB's records in its nodes through ZooKeeper's own client: nothing in it knows of the provider it runs
 * on. Imports ZooKeeper, YCSB and the form of records of {@code org.ucxnio.bench.programs.keyvalue}.
 */
package org.ucxnio.bench.programs.coordination;
