package org.ucxnio.posix.ffm;

import java.lang.invoke.MethodHandle;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;

/**
 * Whose a TCP socket is: one exact look-up through {@code NETLINK_SOCK_DIAG}, or a walk through {@code /proc/net/tcp} where
 * the kernel has no {@code inet_diag}. Thread-safe.
 *
 * <p>The answer decides about trust, so only a socket that a process holds and that matches in all four parts counts: for
 * others (a listener, a connection nobody has accepted yet, one that is closing by itself) the kernel says user 0.
 */
final class SocketOwner {
    static final int UNKNOWN = -1;

    // int socket(int domain, int type, int protocol)
    private static final MethodHandle SOCKET = Raw.downcall(LibC.address("socket"), 3);

    // ssize_t send(int sockfd, const void *buf, size_t len, int flags)
    private static final MethodHandle SEND = Raw.downcall(LibC.address("send"), 4);

    // ssize_t recv(int sockfd, void *buf, size_t len, int flags)
    private static final MethodHandle RECV = Raw.downcall(LibC.address("recv"), 4);

    // int setsockopt(int sockfd, int level, int optname, const void *optval, socklen_t optlen)
    private static final MethodHandle SETSOCKOPT = Raw.downcall(LibC.address("setsockopt"), 5);

    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int IPPROTO_TCP = 6;

    private static final short SOCK_DIAG_BY_FAMILY = 20;
    private static final short NLM_F_REQUEST = 1;
    private static final short NLMSG_ERROR = 2;

    // struct nlmsghdr { u32 len; u16 type; u16 flags; u32 seq; u32 pid; }
    private static final int HEADER_SIZE = 16;
    private static final int HEADER_TYPE = 4;
    private static final int HEADER_FLAGS = 6;
    private static final int HEADER_SEQUENCE = 8;

    // struct inet_diag_sockid { be16 sport; be16 dport; be32 src[4]; be32 dst[4]; u32 if; u32 cookie[2]; }
    private static final int ID_SOURCE_PORT = 0;
    private static final int ID_TARGET_PORT = 2;
    private static final int ID_SOURCE = 4;
    private static final int ID_TARGET = 20;
    private static final int ID_INTERFACE = 36;
    private static final int ID_COOKIE = 40;

    // struct inet_diag_req_v2 { u8 family; u8 protocol; u8 ext; u8 pad; u32 states; struct inet_diag_sockid id; }
    private static final int REQUEST_ID = 8;
    private static final int REQUEST_SIZE = 56;

    // struct inet_diag_msg { u8 family; u8 state; u8 timer; u8 retrans; struct inet_diag_sockid id;
    //         u32 expires; u32 rqueue; u32 wqueue; u32 uid; u32 inode; }
    private static final int REPLY_FAMILY = 0;
    private static final int REPLY_STATE = 1;
    private static final int REPLY_ID = 4;
    private static final int REPLY_UID = 64;
    private static final int REPLY_INODE = 68;
    private static final int REPLY_SIZE = 72;

    private static final byte[] NOTHING = new byte[HEADER_SIZE + REQUEST_SIZE];
    private static final int TCP_LISTEN = 10;
    private static final int BUFFER_SIZE = 4096;

    // Result of a look-up beside a user id or UNKNOWN: this kernel cannot tell.
    private static final int UNAVAILABLE = -2;

    // -- guarded by the class --

    private static final long BUFFER = LibC.allocateZeroed(BUFFER_SIZE);

    // Opened at the first question: every connection set up asks one or two.
    private static int socket = -1;
    private static int sequence;

    // -- end --

    // inet_diag has answered once, so "no such entry" means the socket. Before, it may mean the kernel module. Benign
    // race.
    private static volatile boolean diagWorks;

    private SocketOwner() {}

    static int find(InetSocketAddress local, InetSocketAddress remote) {
        if (local.isUnresolved() || remote.isUnresolved()) {
            return UNKNOWN;
        }
        byte[] source = mapped(local.getAddress());
        byte[] target = mapped(remote.getAddress());
        boolean v4 = isMapped(source) && isMapped(target);
        Query query = new Query(source, local.getPort(), target, remote.getPort(), scope(local, remote));
        int owner;
        synchronized (SocketOwner.class) {
            // A dual-stack socket on ::ffff:127.0.0.1 is an AF_INET6 socket; kernels differ in which family finds it.
            owner = v4 ? diagnose(query, AF_INET) : UNKNOWN;
            if (owner == UNKNOWN) {
                owner = diagnose(query, AF_INET6);
            }
        }
        return owner == UNAVAILABLE ? ProcNetTcp.find(query) : owner;
    }

    /** The kernel's number for the socket that listens on {@code address}, or 0. */
    static long listener(InetSocketAddress address) {
        if (address.isUnresolved()) {
            return 0;
        }
        byte[] source = mapped(address.getAddress());
        Query query = new Query(source, address.getPort(), new byte[16], 0, scope(address, address));
        synchronized (SocketOwner.class) {
            long found = isMapped(source) ? listenerAmong(query, AF_INET) : 0;
            return found == 0 ? listenerAmong(query, AF_INET6) : found;
        }
    }

    private static long listenerAmong(Query query, int family) {
        if (ask(query, family) < HEADER_SIZE + REPLY_SIZE) {
            return 0;
        }
        long body = BUFFER + HEADER_SIZE;
        boolean listens = Raw.getShort(BUFFER + HEADER_TYPE) == SOCK_DIAG_BY_FAMILY
                && Raw.getByte(body + REPLY_STATE) == TCP_LISTEN
                && getPort(body + REPLY_ID + ID_SOURCE_PORT) == query.sourcePort();
        return listens ? Raw.getLong(body + REPLY_ID + ID_COOKIE) : 0;
    }

    /** What is looked for; addresses are 16 bytes, IPv4 as {@code ::ffff:a.b.c.d}. */
    record Query(byte[] source, int sourcePort, byte[] target, int targetPort, int scope) {
        boolean matches(byte[] otherSource, int otherSourcePort, byte[] otherTarget, int otherTargetPort) {
            return sourcePort == otherSourcePort
                    && targetPort == otherTargetPort
                    && Arrays.equals(source, otherSource)
                    && Arrays.equals(target, otherTarget);
        }
    }

    /** Whether a socket in this state (kernel's {@code TCP_*}) is connected and its owner therefore known. */
    static boolean isConnected(int state) {
        // ESTABLISHED 1, FIN_WAIT1 4, FIN_WAIT2 5, CLOSE_WAIT 8, LAST_ACK 9, CLOSING 11; TIME_WAIT 6 has no owner.
        return state == 1 || state == 4 || state == 5 || state == 8 || state == 9 || state == 11;
    }

    static byte[] mapped(InetAddress address) {
        return mapped(address.getAddress());
    }

    static byte[] mapped(byte[] address) {
        if (address.length == 16) {
            return address;
        }
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xff;
        mapped[11] = (byte) 0xff;
        System.arraycopy(address, 0, mapped, 12, 4);
        return mapped;
    }

    private static boolean isMapped(byte[] address) {
        for (int i = 0; i < 10; i++) {
            if (address[i] != 0) {
                return false;
            }
        }
        return address[10] == (byte) 0xff && address[11] == (byte) 0xff;
    }

    /** The interface of link-local addresses, which mean nothing without it. */
    private static int scope(InetSocketAddress local, InetSocketAddress remote) {
        int scope = local.getAddress() instanceof Inet6Address six ? six.getScopeId() : 0;
        return scope == 0 && remote.getAddress() instanceof Inet6Address six ? six.getScopeId() : scope;
    }

    private static int diagnose(Query query, int family) {
        long received = ask(query, family);
        return received < 0 ? UNAVAILABLE : readReply(BUFFER, received, query);
    }

    /** Puts the kernel's answer into the buffer; returns its length, or a negative number where there is none. */
    private static long ask(Query query, int family) {
        try {
            if (socket < 0) {
                socket = (int)
                        (long) SOCKET.invokeExact((long) AF_NETLINK, (long) SOCK_RAW_CLOEXEC, (long) NETLINK_SOCK_DIAG);
                setReceiveTimeout(socket);
            }
            long received = socket < 0 ? -1 : exchange(query, family);
            if (received < 0 && socket >= 0) {
                // Whatever is wrong with it, and an answer that comes too late, goes with the socket.
                LibC.close(socket);
                socket = -1;
            }
            return received;
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    private static long exchange(Query query, int family) throws Throwable {
        writeRequest(BUFFER, query, family);
        long length = HEADER_SIZE + REQUEST_SIZE;
        if ((long) SEND.invokeExact((long) socket, BUFFER, length, 0L) != length) {
            return -1;
        }
        long received = (long) RECV.invokeExact((long) socket, BUFFER, (long) BUFFER_SIZE, 0L);
        return received >= HEADER_SIZE && Raw.getInt(BUFFER + HEADER_SEQUENCE) == sequence ? received : -1;
    }

    private static void setReceiveTimeout(int fd) throws Throwable {
        // struct timeval { time_t tv_sec; suseconds_t tv_usec; }: the kernel answers at once; never wait for ever.
        Raw.putLong(BUFFER, 1);
        Raw.putLong(BUFFER + Long.BYTES, 0);
        long ignored = (long)
                SETSOCKOPT.invokeExact((long) fd, (long) SOL_SOCKET, (long) SO_RCVTIMEO, BUFFER, 2L * Long.BYTES);
    }

    private static void writeRequest(long buffer, Query query, int family) {
        Raw.put(buffer, NOTHING);
        Raw.putInt(buffer, HEADER_SIZE + REQUEST_SIZE);
        Raw.putShort(buffer + HEADER_TYPE, SOCK_DIAG_BY_FAMILY);
        Raw.putShort(buffer + HEADER_FLAGS, NLM_F_REQUEST);
        Raw.putInt(buffer + HEADER_SEQUENCE, ++sequence);
        long request = buffer + HEADER_SIZE;
        Raw.putByte(request, (byte) family);
        Raw.putByte(request + 1, (byte) IPPROTO_TCP);
        Raw.putInt(request + 4, -1);
        long id = request + REQUEST_ID;
        putPort(id + ID_SOURCE_PORT, query.sourcePort());
        putPort(id + ID_TARGET_PORT, query.targetPort());
        putAddress(id + ID_SOURCE, query.source(), family);
        putAddress(id + ID_TARGET, query.target(), family);
        Raw.putInt(id + ID_INTERFACE, query.scope());
        // INET_DIAG_NOCOOKIE
        Raw.putLong(id + ID_COOKIE, -1L);
    }

    private static int readReply(long buffer, long received, Query query) {
        if (received < HEADER_SIZE + Integer.BYTES) {
            return UNAVAILABLE;
        }
        long body = buffer + HEADER_SIZE;
        if (Raw.getShort(buffer + HEADER_TYPE) == NLMSG_ERROR) {
            return Raw.getInt(body) == -LibC.ENOENT && diagWorks ? UNKNOWN : UNAVAILABLE;
        }
        if (Raw.getShort(buffer + HEADER_TYPE) != SOCK_DIAG_BY_FAMILY || received < HEADER_SIZE + REPLY_SIZE) {
            return UNAVAILABLE;
        }
        diagWorks = true;
        int family = Raw.getByte(body + REPLY_FAMILY);
        long id = body + REPLY_ID;
        boolean held = isConnected(Raw.getByte(body + REPLY_STATE)) && Raw.getInt(body + REPLY_INODE) != 0;
        boolean exact = query.matches(
                getAddress(id + ID_SOURCE, family),
                getPort(id + ID_SOURCE_PORT),
                getAddress(id + ID_TARGET, family),
                getPort(id + ID_TARGET_PORT));
        return held && exact ? Raw.getInt(body + REPLY_UID) : UNKNOWN;
    }

    private static void putPort(long at, int port) {
        Raw.putByte(at, (byte) (port >>> 8));
        Raw.putByte(at + 1, (byte) port);
    }

    private static int getPort(long at) {
        return (Raw.getByte(at) & 0xff) << 8 | Raw.getByte(at + 1) & 0xff;
    }

    private static void putAddress(long at, byte[] address, int family) {
        int start = family == AF_INET ? 12 : 0;
        Raw.put(at, Arrays.copyOfRange(address, start, address.length));
    }

    private static byte[] getAddress(long at, int family) {
        return mapped(Raw.bytes(at, family == AF_INET ? 4 : 16));
    }
}
