/**
 * How two processes come to share a connection over UCX: the control connection, the companion port, handshake, trust, and the wire
 * layout of all of it. Started only where a network is trusted or {@code ucxnio.host=ucx}.
 *
 * <p>One daemon thread ({@link org.ucxnio.connect.ControlLoop}) owns the handshakes and reads every control connection.
 *
 * <p>Imports: {@code transport}, {@code session} (user numbers), {@code jdk}, {@code config}, {@code counters}, {@code org.ucxnio.ucx},
 * {@code org.ucxnio.posix}.
 */
package org.ucxnio.connect;
