/**
 * UCX through JUCX ({@code org.openucx:jucx}) and JNA ({@code net.java.dev.jna:jna}), which users put beside the JAR: Java 17 and later.
 *
 * <p>JUCX makes an object for each send and each message it delivers, which cannot be pooled from outside; what completes a send is
 * pooled here. It has no call for what UCX prints, and its {@code arm} throws where a worker has events already, which is every second
 * time: these three are called through JNA.
 *
 * <p>Imports: {@code ucx}, {@code ucx.library}, {@code posix.jna}, JUCX and JNA.
 */
package org.ucxnio.ucx.jucx;
