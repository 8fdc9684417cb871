package org.ucxnio.agent;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import org.ucxnio.jdk.TransferHook;

/** {@link TransferPatch}, loaded where it is wanted: few programs send files, and what changes classes is large. */
record LatePatch(Instrumentation instrumentation) implements TransferHook.Patch {
    @Override
    public void apply(MethodHandle asked) throws ReflectiveOperationException {
        new TransferPatch(instrumentation).apply(asked);
    }
}
