/** Tables of figures for a terminal. Imports nothing of the other packages. */
package org.ucxnio.bench.table;
