package org.ucxnio.it.exhaustion;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.isolation.OneHost;

/** A process may not make files of the size of a ring, or no Unix-domain sockets: its bytes go over TCP, and the report says why. */
class FewRightsTest extends OneHost {
    /**
     * Has the kernel refuse Unix-domain sockets to a command, as some sandboxes do: a filter on the system call {@code socket}, which a
     * process may give to itself.
     */
    private static final String DENY_UNIX = """
            import ctypes, os, platform, struct, sys
            number = {'x86_64': 41, 'aarch64': 198}[platform.machine()]
            def op(code, k, yes=0, no=0): return struct.pack('HBBI', code, yes, no, k)
            program = (op(0x20, 0) + op(0x15, number, 0, 3)
                + op(0x20, 16) + op(0x15, 1, 0, 1) + op(0x06, 0x50000 | int(sys.argv[1]))
                + op(0x06, 0x7fff0000))
            code = ctypes.create_string_buffer(program)
            filter = ctypes.create_string_buffer(struct.pack('HxxxxxxP', len(program) // 8, ctypes.addressof(code)))
            libc = ctypes.CDLL(None, use_errno=True)
            if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, filter, 0, 0):
                sys.exit('prctl: ' + os.strerror(ctypes.get_errno()))
            os.execvp(sys.argv[2], sys.argv[2:])
            """;

    @ParameterizedTest(name = "files of {0} bytes at most")
    @ValueSource(ints = {0, 4096, 300_000})
    void shouldDoWithSmallFiles(int bytes) throws Exception {
        String[] words = {"prlimit", "--fsize=" + bytes};
        try (Node server = Node.start(node(words).flags("-XX:-UsePerfData"));
                Node client = Node.start(node(words).flags("-XX:-UsePerfData"))) {
            expectBytes(server, client, "File too large");
        }
    }

    /** @param error what the kernel says: not permitted, or that there is no such family of addresses */
    @ParameterizedTest(name = "error {0}")
    @ValueSource(strings = {"1", "97"})
    void shouldDoWithoutUnixSockets(String error) throws Exception {
        try (Node client = Node.start(node("python3", "-c", DENY_UNIX, error))) {
            expectPlain(ours, client, SOME_REASON);
            expectPlain(client, ours, SOME_REASON);
        }
    }
}
