package org.ucxnio.ucx;

/** Memory of this process that a peer on the same host can map. */
public interface SharedMemory extends NativeMemory {

    /** What a peer needs to map it. As dangerous as a worker address in the wrong hands: give it to trusted peers only. */
    byte[] packedKey();
}
