package org.ucxnio.it.harness;

import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Whose channels a JVM or a test uses: the JDK's, which are the reference, or ours. */
public enum Flavour {
    JDK {
        @Override
        public SelectorProvider provider() {
            return SelectorProvider.provider();
        }

        @Override
        public List<String> jvmFlags() {
            return List.of();
        }

        @Override
        public List<Path> classPath() {
            return List.of();
        }
    },
    UCX {
        @Override
        public SelectorProvider provider() {
            return UcxHolder.PROVIDER;
        }

        @Override
        public List<String> jvmFlags() {
            return List.of(
                    "-Djava.nio.channels.spi.SelectorProvider=org.ucxnio.UcxSelectorProvider",
                    "--enable-native-access=ALL-UNNAMED");
        }

        @Override
        public List<Path> classPath() {
            return List.of(Locations.ucxnioJar());
        }
    },
    /** Ours, with messages over UCX where rings would be used. */
    UCX_MESSAGES {
        @Override
        public SelectorProvider provider() {
            return UCX.provider();
        }

        @Override
        public List<String> jvmFlags() {
            return Stream.concat(UCX.jvmFlags().stream(), Stream.of("-Ducxnio.ring=0"))
                    .toList();
        }

        @Override
        public List<Path> classPath() {
            return UCX.classPath();
        }
    };

    /** The provider for use in this JVM, whose default provider stays the JDK's. */
    public abstract SelectorProvider provider();

    /** The flags that make it the default provider of a child JVM. */
    public abstract List<String> jvmFlags();

    /** What it adds to the class path of a child JVM. */
    public abstract List<Path> classPath();

    private static final class UcxHolder {
        private static final SelectorProvider PROVIDER = new org.ucxnio.UcxSelectorProvider();
    }
}
