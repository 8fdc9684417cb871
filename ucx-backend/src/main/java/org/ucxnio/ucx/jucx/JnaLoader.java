package org.ucxnio.ucx.jucx;

import org.ucxnio.posix.jna.JnaLibC;
import org.ucxnio.ucx.library.NativeLoader;

/** The dynamic linker through JNA. */
final class JnaLoader implements NativeLoader {
    @Override
    public String getenv(String name) {
        return JnaLibC.environment(name);
    }

    @Override
    public void setenv(String name, String value) {
        JnaLibC.setEnvironment(name, value);
    }

    @Override
    public long load(String library) {
        return JnaLibC.load(library);
    }

    @Override
    public String loadError() {
        return JnaLibC.loadError();
    }

    @Override
    public long symbol(long library, String name) {
        return JnaLibC.symbol(library, name);
    }

    @Override
    public String fileOf(long codeAddress) {
        return JnaLibC.fileOf(codeAddress);
    }

    @Override
    public int[] version(long function) {
        return JnaLibC.threeNumbers(function);
    }
}
