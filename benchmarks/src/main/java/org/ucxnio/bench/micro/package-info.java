/**
 * The small two-process programs, over nothing but the public {@code java.nio} API: the same byte code runs on the JDK's
 * provider and on ours. {@link org.ucxnio.bench.micro.MicroMain} is the main class of every measured JVM. The timed
 * loops allocate nothing themselves and verify what they read. Imports {@code org.ucxnio.bench.child} and {@code .measure}.
 */
package org.ucxnio.bench.micro;
