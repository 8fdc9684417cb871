package org.ucxnio.ucx.jucx;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import org.ucxnio.posix.jna.CNames;

/** Functions of libucp that JUCX does not have, or has with a price. Handles are those of JUCX's objects. */
final class Ucp {
    private Ucp() {}

    /** Binds the functions, once, before the first of them is called. */
    static void bind(String path) {
        Native.register(Ucp.class, NativeLibrary.getInstance(path, CNames.OPTIONS));
    }

    /**
     * {@code ucs_status_t ucp_worker_arm(ucp_worker_h worker)}; the status is an enum packed into a signed byte, and what stands above
     * its eight bits in a register is anything.
     */
    static native byte ucpWorkerArm(long worker);

    /** {@code ucs_status_t ucp_config_read(const char *env_prefix, const char *filename, ucp_config_t **config_p)}. */
    static native byte ucpConfigRead(long prefix, long file, long result);

    /** {@code ucs_status_t ucp_config_modify(ucp_config_t *config, const char *name, const char *value)}. */
    static native byte ucpConfigModify(long config, String name, String value);

    /** {@code void ucp_config_release(ucp_config_t *config)}. */
    static native void ucpConfigRelease(long config);

    /** {@code void ucp_context_print_info(const ucp_context_h context, FILE *stream)}. */
    static native void ucpContextPrintInfo(long context, long stream);

    /** {@code void ucp_ep_print_info(ucp_ep_h ep, FILE *stream)}. */
    static native void ucpEpPrintInfo(long endpoint, long stream);
}
