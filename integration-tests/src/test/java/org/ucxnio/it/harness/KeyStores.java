package org.ucxnio.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A key and its certificate for servers at 127.0.0.1, made once for a test JVM. Clients that have the file trust it. */
public final class KeyStores {
    /** Names the file to programs, which speak TLS then. */
    public static final String PROPERTY = "ucxnio.it.tls";

    public static final String PASSWORD = "changeit";

    private static Path file;

    private KeyStores() {}

    public static synchronized Path ofThisJvm() throws IOException, InterruptedException {
        if (file == null) {
            file = make(Files.createTempDirectory("ucxnio-it-keys-").resolve("keys.p12"));
        }
        return file;
    }

    private static Path make(Path path) throws IOException, InterruptedException {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> command = List.of(
                keytool,
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "10",
                "-dname",
                "CN=ucxnio",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                path.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        path.toFile().deleteOnExit();
        path.getParent().toFile().deleteOnExit();
        return path;
    }
}
