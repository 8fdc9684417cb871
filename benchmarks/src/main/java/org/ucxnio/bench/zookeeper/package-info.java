/**
 * Apache ZooKeeper's own server and a program on ZooKeeper's own Java client: create, getData, setData, watches, multi,
 * one call at a time and pipelined. Imports {@code org.ucxnio.bench.child} and ZooKeeper.
 */
package org.ucxnio.bench.zookeeper;
