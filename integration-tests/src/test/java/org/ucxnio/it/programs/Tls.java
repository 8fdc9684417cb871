package org.ucxnio.it.programs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.ucxnio.it.harness.KeyStores;

/** The JDK's TLS with the keys of {@link KeyStores}, where a property names them. */
final class Tls {
    private static final char[] PASSWORD = KeyStores.PASSWORD.toCharArray();

    private Tls() {}

    static boolean isOn() {
        return file() != null;
    }

    /** Null where TLS is not wanted. */
    static String file() {
        return System.getProperty(KeyStores.PROPERTY);
    }

    static KeyManagerFactory keys() throws GeneralSecurityException, IOException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store(), PASSWORD);
        return factory;
    }

    static TrustManagerFactory trust() throws GeneralSecurityException, IOException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store());
        return factory;
    }

    static SSLContext context() throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys().getKeyManagers(), trust().getTrustManagers(), null);
        return context;
    }

    private static KeyStore store() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Path.of(file()))) {
            store.load(in, PASSWORD);
        }
        return store;
    }
}
