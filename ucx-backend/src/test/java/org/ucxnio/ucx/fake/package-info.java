/**
 * An in-memory fake of the UCX SPI with manual progress and injectable faults: what moves bytes can be tested without UCX.
 * Start at {@link org.ucxnio.ucx.fake.FakeUcx}.
 */
package org.ucxnio.ucx.fake;
