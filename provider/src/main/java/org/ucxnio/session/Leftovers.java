package org.ucxnio.session;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.ucxnio.counters.Log;
import org.ucxnio.memory.SlabName;

/**
 * Deletes what dead processes left in the rendezvous directory, and nothing else: sockets that refuse, and memory of processes that
 * have no socket or one that refuses. The socket of a process has its name before its memory has one, and loses it later, so a process
 * whose memory is seen and whose socket is not there at a look after that has gone.
 */
final class Leftovers {
    private static final int HEX_TOKEN = 2 * SlabName.TOKEN_BYTES;

    /** A name that is not ready after so long never will be. */
    private static final long NEW_MILLIS = TimeUnit.MINUTES.toMillis(1);

    private final Rendezvous rendezvous;
    private final PrivateDirectory directory;
    private final Map<String, Boolean> deadTokens = new HashMap<>();

    /** Sockets of living processes: each has several names, and should be disturbed once. */
    private final Set<Object> alive = new HashSet<>();

    private Leftovers(Rendezvous rendezvous) throws IOException {
        this.rendezvous = rendezvous;
        this.directory = rendezvous.directory();
        alive.add(rendezvous.identity(rendezvous.processName()));
    }

    /** Looks at every name once. On the session thread. */
    static void sweep(Rendezvous rendezvous) {
        try {
            new Leftovers(rendezvous).sweep();
        } catch (IOException e) {
            Log.debug("What dead processes left could not be swept: " + e);
        }
    }

    private void sweep() throws IOException {
        List<String> names = directory.list();
        // Sockets of processes last: they are what tells that other names are leftovers.
        for (boolean last : new boolean[] {false, true}) {
            for (String name : names) {
                if (name.startsWith(Rendezvous.PROCESS) == last) {
                    sweep(name);
                }
            }
        }
    }

    private void sweep(String name) {
        try {
            if (name.startsWith(SlabName.PREFIX) && isDead(tokenOf(name))) {
                directory.delete(name);
            } else if (name.startsWith(Rendezvous.PROCESS) && directory.isSocket(name) && isDead(tokenOf(name))) {
                directory.delete(name);
            } else if (name.startsWith(Rendezvous.LISTENER) || name.startsWith(Rendezvous.NEW)) {
                sweepSocket(name);
            }
        } catch (IOException e) {
            Log.debug("A leftover stays: " + e);
        }
    }

    /** The token in a name, or null where the name is not one of ours. */
    private static String tokenOf(String name) {
        int begin = SlabName.PREFIX.length();
        int end = begin + HEX_TOKEN;
        if (name.length() < end) {
            return null;
        }
        String token = name.substring(begin, end);
        boolean ends = name.length() == end || name.charAt(end) == '-';
        return isHex(token) && ends ? token : null;
    }

    private static boolean isHex(String token) {
        boolean hex = true;
        for (int i = 0; hex && i < token.length(); i++) {
            char c = token.charAt(i);
            hex = c >= '0' && c <= '9' || c >= 'a' && c <= 'f';
        }
        return hex;
    }

    /** Whether the process of a token is dead; not where the token is null. */
    private boolean isDead(String token) throws IOException {
        if (token == null) {
            return false;
        }
        Boolean known = deadTokens.get(token);
        if (known == null) {
            known = !isAlive(Rendezvous.PROCESS + token);
            deadTokens.put(token, known);
        }
        return known;
    }

    private boolean isAlive(String socket) throws IOException {
        Object identity = rendezvous.identity(socket);
        if (identity == null || alive.contains(identity)) {
            return identity != null;
        }
        SocketChannel channel = rendezvous.connect(socket);
        if (channel == null) {
            return false;
        }
        channel.close();
        alive.add(identity);
        return true;
    }

    private void sweepSocket(String name) throws IOException {
        Object identity = rendezvous.identity(name);
        boolean dead = identity != null && directory.isSocket(name) && !isFresh(name) && !isAlive(name);
        // A living process may have taken the name meanwhile.
        if (dead && identity.equals(rendezvous.identity(name))) {
            directory.delete(name);
        }
    }

    private boolean isFresh(String name) throws IOException {
        return name.startsWith(Rendezvous.NEW)
                && System.currentTimeMillis()
                                - directory.attributes(name).lastModifiedTime().toMillis()
                        < NEW_MILLIS;
    }
}
