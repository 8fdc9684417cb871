package org.ucxnio.agent;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SUPER;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.DUP2;
import static org.objectweb.asm.Opcodes.F_SAME1;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.IFLT;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.LCMP;
import static org.objectweb.asm.Opcodes.LCONST_0;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.LONG;
import static org.objectweb.asm.Opcodes.LRETURN;
import static org.objectweb.asm.Opcodes.POP2;
import static org.objectweb.asm.Opcodes.V17;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.security.ProtectionDomain;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;
import org.ucxnio.jdk.TransferHook;
import org.ucxnio.jdk.TrustedLookup;

/**
 * Changes {@code FileChannelImpl.transferTo}, of Java 17 to 25 at least: it begins with a call of a class of ours beside it, and returns what that
 * returns unless it is negative. That class, {@value #BRIDGE}, can be seen from the JDK's, as classes of an application cannot, and hands
 * the call on. Thread-safe.
 */
final class TransferPatch implements ClassFileTransformer {
    private static final String PATCHED = "sun/nio/ch/FileChannelImpl";
    private static final String BRIDGE = "sun/nio/ch/UcxnioTransfers";
    private static final String FIELD = "asked";
    private static final String METHOD = "transferTo";
    private static final String METHOD_DESCRIPTOR = "(JJLjava/nio/channels/WritableByteChannel;)J";

    private final Instrumentation instrumentation;

    /** Whether the class was met, and had the method. */
    private volatile boolean applied;

    TransferPatch(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /** As {@link TransferHook.Patch#apply}. */
    void apply(MethodHandle asked) throws ReflectiveOperationException {
        Class<?> patched = Class.forName(PATCHED.replace('/', '.'));
        Class<?> bridge = TrustedLookup.in(patched).defineClass(bridge());
        MethodHandles.Lookup inside = TrustedLookup.in(bridge);
        inside.findStaticVarHandle(bridge, FIELD, MethodHandle.class).set(asked);
        callOnce(inside.findStatic(bridge, METHOD, TransferHook.TYPE));
        instrumentation.addTransformer(this, true);
        try {
            instrumentation.retransformClasses(patched);
        } catch (UnmodifiableClassException e) {
            throw new ReflectiveOperationException(e);
        }
        if (!applied) {
            instrumentation.removeTransformer(this);
            throw new NoSuchMethodException(METHOD);
        }
    }

    /** What the first call links is there before anybody waits for it. */
    private static void callOnce(MethodHandle bridge) throws ReflectiveOperationException {
        try {
            bridge.invokeWithArguments(null, 0L, 0L, null);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new ReflectiveOperationException(e);
        }
    }

    /** {@inheritDoc} Whoever changes the class later has this change made once more, so it stays. */
    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
        return loader == null && PATCHED.equals(name) ? patch(classFile) : null;
    }

    /** The class with the change, or null where it has no such method, or is of a later Java than can be read. */
    byte[] patch(byte[] classFile) {
        try {
            ClassReader reader = new ClassReader(classFile);
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            Patcher patcher = new Patcher(writer);
            reader.accept(patcher, 0);
            applied |= patcher.found;
            return patcher.found ? writer.toByteArray() : null;
        } catch (IllegalArgumentException tooNew) {
            return null;
        }
    }

    private static final class Patcher extends ClassVisitor {
        private boolean found;

        Patcher(ClassVisitor next) {
            super(ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            if (!name.equals(METHOD) || !descriptor.equals(METHOD_DESCRIPTOR)) {
                return next;
            }
            found = true;
            return new Beginning(next);
        }
    }

    private static final class Beginning extends MethodVisitor {
        Beginning(MethodVisitor next) {
            super(ASM9, next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            Label declined = new Label();
            loadArguments(this);
            visitMethodInsn(INVOKESTATIC, BRIDGE, METHOD, TransferHook.TYPE.toMethodDescriptorString(), false);
            visitInsn(DUP2);
            visitInsn(LCONST_0);
            visitInsn(LCMP);
            visitJumpInsn(IFLT, declined);
            visitInsn(LRETURN);
            visitLabel(declined);
            visitFrame(F_SAME1, 0, null, 1, new Object[] {LONG});
            visitInsn(POP2);
        }
    }

    private static byte[] bridge() {
        String handle = Type.getInternalName(MethodHandle.class);
        String handleDescriptor = Type.getDescriptor(MethodHandle.class);
        String descriptor = TransferHook.TYPE.toMethodDescriptorString();
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(V17, ACC_FINAL | ACC_SUPER, BRIDGE, null, Type.getInternalName(Object.class), null);
        writer.visitField(ACC_PRIVATE | ACC_STATIC, FIELD, handleDescriptor, null, null);
        MethodVisitor code = writer.visitMethod(ACC_STATIC, METHOD, descriptor, null, null);
        code.visitCode();
        code.visitFieldInsn(GETSTATIC, BRIDGE, FIELD, handleDescriptor);
        loadArguments(code);
        code.visitMethodInsn(INVOKEVIRTUAL, handle, "invokeExact", descriptor, false);
        code.visitInsn(LRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    /** The file, where from, how many bytes, and where to: they lie in the same places of both methods. */
    private static void loadArguments(MethodVisitor code) {
        code.visitVarInsn(ALOAD, 0);
        code.visitVarInsn(LLOAD, 1);
        code.visitVarInsn(LLOAD, 3);
        code.visitVarInsn(ALOAD, 5);
    }
}
