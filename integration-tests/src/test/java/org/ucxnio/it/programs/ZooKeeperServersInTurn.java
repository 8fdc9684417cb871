package org.ucxnio.it.programs;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.client.HostProvider;

/** The servers that a session tries, beginning with a given one; ZooKeeper's own class begins anywhere. One thread asks. */
final class ZooKeeperServersInTurn implements HostProvider {
    private final List<InetSocketAddress> servers;
    private int next;
    private int triedInVain;

    ZooKeeperServersInTurn(List<InetSocketAddress> servers, int first) {
        this.servers = List.copyOf(servers);
        this.next = first;
    }

    @Override
    public int size() {
        return servers.size();
    }

    @Override
    public InetSocketAddress next(long spinDelayMillis) {
        if (triedInVain >= servers.size() && spinDelayMillis > 0) {
            pause(spinDelayMillis);
        }
        triedInVain++;
        return servers.get(Math.floorMod(next++, servers.size()));
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void onConnected() {
        triedInVain = 0;
    }

    @Override
    public boolean updateServerList(Collection<InetSocketAddress> changed, InetSocketAddress current) {
        throw new UnsupportedOperationException("The servers stay the same");
    }
}
