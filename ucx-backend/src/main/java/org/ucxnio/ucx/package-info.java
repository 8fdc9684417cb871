/**
 * The contract between the selector provider and UCX: library, context, worker, endpoint, native memory, status codes.
 *
 * <p>The SPI is shaped by what a data path can afford: no allocation per operation, no object per request, no exception
 * for an ordinary outcome. Outcomes of operations are {@code int} values of {@link org.ucxnio.ucx.UcsStatus}; requests
 * are named by a {@code long} token of the caller's. Implementations are found through {@link java.util.ServiceLoader}
 * ({@link org.ucxnio.ucx.UcxBackend}); nothing depends on them at compile time.
 *
 * <p>Imports: {@code java.base} only.
 */
package org.ucxnio.ucx;
