package org.ucxnio.link;

/** Where a connection lives: what its selector shares among its connections. Only the carrier knows what that is. */
public interface Home {}
