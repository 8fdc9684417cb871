package org.ucxnio.ucx.library;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InfoParserTest {
    @Test
    void shouldReadLanesOfUcx113() {
        assertThat(InfoParser.lanes("""
                #
                # UCP endpoint\s
                #
                #               peer: <no debug data>
                #                 lane[0]:  3:sysv/memory.0 md[2]           -> md[2]/sysv/sysdev[255] am am_bw#0 keepalive
                #                 lane[1]:  4:posix/memory.0 md[3]          -> md[3]/posix/sysdev[255]
                #                 lane[2]:  4:posix/memory.0 md[3]          -> md[3]/posix/sysdev[255]
                #
                #                 am_send: 0..<egr/short>..93..<egr/bcopy>..(inf)
                """)).isEqualTo("sysv/memory,posix/memory");
    }

    @Test
    void shouldReadLanesOfUcx118() {
        assertThat(InfoParser.lanes("""
                #                 lane[0]:  2:rc_mlx5/mlx5_0:1.0 md[1]     -> md[1]/ib/sysdev[255] seg 4294967295 am keepalive
                # | ucp_context_0 self cfg#0 | active message by ucp_am_send*(fast-completion) from host memory    |
                # |                    0..92 | short                                                | posix/memory |
                """)).isEqualTo("rc_mlx5/mlx5_0:1");
    }

    @Test
    void shouldReadTransports() {
        assertThat(InfoParser.transports("""
                #     component 3  :  posix
                #            md 1  :  component 3  posix\s
                #
                #      resource 0  :  md 0  dev 0  flags -- tcp/lo
                #      resource 2  :  md 1  dev 2  flags -- posix/memory
                #      resource 3  :  md 2  dev 3  flags sa rc_verbs/mlx5_0:1
                """)).containsExactly("tcp/lo", "posix/memory", "rc_verbs/mlx5_0:1");
    }

    @Test
    void shouldFindNothingInNothing() {
        assertThat(InfoParser.lanes("")).isEmpty();
        assertThat(InfoParser.transports("")).isEmpty();
    }
}
