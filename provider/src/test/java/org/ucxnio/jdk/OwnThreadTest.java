package org.ucxnio.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class OwnThreadTest {
    private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    @Test
    void shouldKeepNothingOfTheThreadThatMakesIt() throws Exception {
        AtomicReference<String> seen = new AtomicReference<>("nothing yet");
        AtomicReference<Thread> made = new AtomicReference<>();
        try (URLClassLoader application = new URLClassLoader(new URL[0])) {
            Thread caller = new Thread(() -> {
                INHERITED.set("of the application");
                made.set(OwnThread.of(() -> seen.set(INHERITED.get()), "ucxnio-test"));
            });
            caller.setContextClassLoader(application);
            caller.start();
            caller.join();
            made.get().start();
            made.get().join();

            assertThat(seen).hasNullValue();
            assertThat(made.get().getName()).isEqualTo("ucxnio-test");
            assertThat(made.get().isDaemon()).isTrue();
            assertThat(made.get().getContextClassLoader()).isNotSameAs(application);
        }
    }

    /** As in a process whose provider is not the system class loader's. */
    @Test
    void shouldHaveTheClassLoaderOfTheProvider() throws Exception {
        URL classes = OwnThread.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader provider = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
            Class<?> type = provider.loadClass(OwnThread.class.getName());
            Thread made = (Thread)
                    type.getMethod("of", Runnable.class, String.class).invoke(null, (Runnable) () -> {}, "ucxnio-test");
            assertThat(made.getContextClassLoader()).isSameAs(provider);
        }
    }
}
