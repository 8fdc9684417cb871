/**
 * A key-value store over plain gRPC on Netty: nothing in it knows of the provider it runs on. Imports gRPC and, for its client, YCSB.
 */
package org.ucxnio.bench.programs.keyvalue;
