package org.ucxnio.link;

/** What somebody has to progress so that bytes arrive. Only the carrier, and the selector, know what that is. */
public interface Driver {}
