package org.ucxnio.session;

import org.ucxnio.memory.MemoryBudget;

/**
 * What all sessions of a process share.
 *
 * @param network null where no network is trusted, or none can be reached
 * @param warmUp is run while a peer answers the first hello: what pairing needs is loaded by then, in both processes at once
 */
record SessionSetting(
        SessionLoop loop,
        MemoryBudget budget,
        Timing timing,
        Members members,
        AcceptedTable accepted,
        SessionCount sessions,
        Network network,
        Runnable warmUp) {}
