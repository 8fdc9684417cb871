package org.ucxnio.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.objectweb.asm.Opcodes.ASM9;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;

/** The bytes of classes; {@code SentFilesTest} has JVMs load them. */
class TransferPatchTest {
    private static final String PATCHED = "sun/nio/ch/FileChannelImpl";
    private static final int MAJOR_VERSION = 7;

    private final TransferPatch patch = new TransferPatch(null);

    private static byte[] classFile(String name) throws IOException {
        try (InputStream in = Object.class.getResourceAsStream("/" + name + ".class")) {
            return in.readAllBytes();
        }
    }

    /** Methods that call ours. */
    private static List<String> callers(byte[] classFile) {
        List<String> callers = new ArrayList<>();
        new ClassReader(classFile)
                .accept(
                        new ClassVisitor(ASM9) {
                            @Override
                            public MethodVisitor visitMethod(
                                    int access, String name, String descriptor, String signature, String[] exceptions) {
                                return new MethodVisitor(ASM9) {
                                    @Override
                                    public void visitMethodInsn(
                                            int opcode,
                                            String owner,
                                            String called,
                                            String itsDescriptor,
                                            boolean isInterface) {
                                        if (owner.contains("Ucxnio")) {
                                            callers.add(name + descriptor);
                                        }
                                    }
                                };
                            }
                        },
                        0);
        return callers;
    }

    @Test
    void shouldChangeTheOneMethod() throws IOException {
        byte[] original = classFile(PATCHED);
        assertThat(callers(original)).isEmpty();
        assertThat(callers(patch.transform(null, PATCHED, null, null, original)))
                .containsExactly("transferTo(JJLjava/nio/channels/WritableByteChannel;)J");
    }

    @Test
    void shouldLeaveOtherClasses() throws IOException {
        byte[] original = classFile(PATCHED);
        assertThat(patch.transform(null, "sun/nio/ch/SocketChannelImpl", null, null, original))
                .isNull();
        assertThat(patch.transform(getClass().getClassLoader(), PATCHED, null, null, original))
                .isNull();
        assertThat(patch.patch(classFile("java/lang/String"))).isNull();
    }

    @Test
    void shouldLeaveAClassOfALaterJava() throws IOException {
        byte[] later = classFile(PATCHED);
        later[MAJOR_VERSION] = (byte) 200;
        assertThat(patch.patch(later)).isNull();
    }
}
