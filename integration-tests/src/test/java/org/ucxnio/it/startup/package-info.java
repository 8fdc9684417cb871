/**
 * How a JVM comes up with the one JAR and the one flag: properties, the absence of UCX, older Java versions, what is logged.
 *
 * <p>Imports: the JDK, JUnit, AssertJ, {@code harness}.
 */
package org.ucxnio.it.startup;
