/**
 * What every measured JVM shares with the launcher that started it: its settings, the lines it prints, its end, and
 * what the provider inside it says about the bytes it carried. Imports nothing of the other packages.
 */
package org.ucxnio.bench.child;
