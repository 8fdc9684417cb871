/**
 * Three bookies of BookKeeper with ZooKeeper as their metadata service, and a client that writes entries to a ledger and reads them back.
 * Nothing in it knows of the provider it runs on. Imports {@code org.ucxnio.bench.child}, {@code .measure}, the ZooKeeper server of
 * {@code .programs.coordination} and BookKeeper.
 */
package org.ucxnio.bench.programs.bookkeeper;
