package org.ucxnio.ucx.ffm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.testing.ChildJvm;
import org.ucxnio.ucx.UcxLoadOptions;
import org.ucxnio.ucx.UcxUnavailableException;

@Timeout(60)
class LibraryLoaderTest {
    @TempDir
    private Path directory;

    private static void assertUnavailable(String path, String... parts) {
        assertThatThrownBy(() -> FfmLoader.load(new UcxLoadOptions(path, "")))
                .isInstanceOf(UcxUnavailableException.class)
                .hasMessageContainingAll(parts);
    }

    @Test
    void shouldSayThatANamedPathDoesNotExist() {
        assertUnavailable("/no/such/libucp.so", "/no/such/libucp.so", "libucx0", "ucxnio.ucx.path");
    }

    @Test
    void shouldSayThatADirectoryHoldsNoLibrary() {
        assertUnavailable(directory.toString(), directory.toString(), "libucp.so.0");
    }

    @Test
    void shouldSayThatAFileIsNoLibrary() throws Exception {
        Path text = Files.writeString(directory.resolve("libucp.so.0"), "hello, this is not a library");
        assertUnavailable(text.toString(), text.toString(), "not an ELF");
        assertUnavailable(directory.toString(), text.toString(), "not an ELF");
    }

    @Test
    void shouldSayThatALibraryIsForAnotherMachine() throws Exception {
        byte[] header = new byte[64];
        System.arraycopy(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1}, 0, header, 0, 7);
        // e_machine: SPARC, which no JVM of ours runs on.
        header[18] = 43;
        Path foreign = Files.write(directory.resolve("libucp.so.0"), header);
        assertUnavailable(foreign.toString(), "is built for ELF machine 43", System.getProperty("os.arch"));
    }

    @Test
    void shouldSayThatALibraryIsNotUcx() throws Exception {
        Path libc = Path.of("/lib/x86_64-linux-gnu/libm.so.6");
        assumeTrue(Files.exists(libc), "no " + libc);
        assertThatThrownBy(() -> new FfmLibrary(FfmLoader.load(new UcxLoadOptions(libc.toString(), ""))))
                .isInstanceOf(UcxUnavailableException.class)
                .hasMessageContaining("needs 1.13");
    }

    @Test
    void shouldSayHowToAllowNativeAccess() throws Exception {
        try (ChildJvm child = ChildJvm.start(
                List.of("--illegal-native-access=deny"), Map.of(), LibraryLoaderTest.class, "/usr/lib")) {
            assertThat(child.expect("unavailable")).contains("--enable-native-access=ALL-UNNAMED");
        }
    }

    @Test
    void shouldRepeatAFailure() throws Exception {
        try (ChildJvm child = ChildJvm.start(LibraryLoaderTest.class, "/no/such/directory", "")) {
            assertThat(child.expect("unavailable")).contains("/no/such/directory");
            assertThat(child.expect("unavailable")).contains("/no/such/directory");
        }
    }

    /** Tries to load from each path, one after the other. */
    public static void main(String[] paths) {
        for (String path : paths) {
            try {
                System.out.println("loaded " + new FfmBackend().load(new UcxLoadOptions(path, "")));
            } catch (UcxUnavailableException e) {
                System.out.println("unavailable " + e.getMessage());
            }
        }
    }
}
