package org.ucxnio.ucx.library;

/** The C environment and the dynamic linker of this process. Thread-safe. */
public interface NativeLoader {

    /** Value of a variable in the C environment (which can differ from {@link System#getenv}), or null. */
    String getenv(String name);

    /** Sets a variable in the C environment. */
    void setenv(String name, String value);

    /** {@code dlopen} with lazy binding; the handle, or 0 where it failed, for {@link #loadError} to explain. */
    long load(String library);

    /** Why the last {@link #load} of this thread failed. */
    String loadError();

    /** Address of a function in a loaded library; 0 where it has none of that name. */
    long symbol(long library, String name);

    /** File whose code lies at an address, or null. */
    String fileOf(long codeAddress);

    /** Calls {@code void ucp_get_version(unsigned *major, unsigned *minor, unsigned *release)} at its address. */
    int[] version(long function);
}
