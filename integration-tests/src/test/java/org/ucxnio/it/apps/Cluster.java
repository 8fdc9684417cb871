package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.JvmBuilder;

/** JVMs that belong together: servers, and those that use them. They end together. */
final class Cluster implements AutoCloseable {
    private final List<ChildJvm> alive = new ArrayList<>();
    private final List<ChildJvm> killed = new ArrayList<>();

    ChildJvm start(JvmBuilder jvm) throws IOException {
        ChildJvm child = jvm.start();
        alive.add(child);
        return child;
    }

    /** As {@code kill -9} does. */
    void kill(ChildJvm child) throws InterruptedException {
        child.kill();
        alive.remove(child);
        killed.add(child);
    }

    /** Those that were not killed must be there, and none may have crashed. */
    void expectHealthy() {
        for (ChildJvm child : alive) {
            assertThat(child.isAlive()).as("%s", child).isTrue();
            assertThat(child.crashReport()).isEmpty();
        }
        killed.forEach(child -> assertThat(child.crashReport()).isEmpty());
    }

    @Override
    public void close() {
        alive.forEach(ChildJvm::close);
        killed.forEach(ChildJvm::close);
    }
}
