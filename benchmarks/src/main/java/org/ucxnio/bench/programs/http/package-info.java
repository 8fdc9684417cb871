/**
 * Jetty, and a client that keeps connections alive and asks for the same bytes over and over, as wrk does: as fast as answers come, or at
 * a fixed rate. Nothing in it knows of the provider it runs on. Imports {@code org.ucxnio.bench.child}, {@code .measure} and Jetty.
 */
package org.ucxnio.bench.programs.http;
