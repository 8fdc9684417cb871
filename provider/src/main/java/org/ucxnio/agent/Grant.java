package org.ucxnio.agent;

import java.lang.reflect.Method;

/** Allows native calls to all classes of class paths. To be run where {@code java.lang} is open to it: {@link NativeAccess}. */
public final class Grant implements Runnable {
    /** For a copy of this class. */
    public Grant() {}

    @Override
    public void run() {
        try {
            Method grant = Module.class.getDeclaredMethod("implAddEnableNativeAccessToAllUnnamed");
            grant.setAccessible(true);
            grant.invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
