package org.ucxnio.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The finished JAR, looked at as a file: what is in it, what it declares, and that it starts. */
@Timeout(60)
class UcxnioJarIT {
    private static final int JAVA_17 = 61;
    private static final int JAVA_22 = 66;
    private static final int MAJOR_VERSION_OFFSET = 6;
    private static final String SERVICES = "META-INF/services/";

    private static final Path JAR = Path.of(System.getProperty("ucxnio.jar"));

    @Test
    void shouldHoldNothingOfOthers() throws IOException {
        try (JarFile jar = open()) {
            assertThat(files(jar))
                    .extracting(JarEntry::getName)
                    .allMatch(name -> name.startsWith("org/ucxnio/") || name.startsWith("META-INF/"))
                    .noneMatch(name -> name.startsWith("META-INF/maven/"))
                    .noneMatch(name -> name.contains("/fake/"))
                    .doesNotHaveDuplicates()
                    .contains("META-INF/LICENSE", "META-INF/NOTICE");
        }
    }

    @Test
    void shouldDeclareWhatAUserNeeds() throws IOException {
        try (JarFile jar = open()) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertThat(manifest.getValue("Main-Class")).isEqualTo("org.ucxnio.Main");
            assertThat(manifest.getValue("Automatic-Module-Name")).isEqualTo("org.ucxnio");
            assertThat(manifest.getValue("Enable-Native-Access")).isEqualTo("ALL-UNNAMED");
            assertThat(manifest.getValue("Class-Path")).isEqualTo("jucx.jar jna.jar");
            assertThat(manifest.getValue("Premain-Class")).isEqualTo("org.ucxnio.agent.Agent");
            assertThat(manifest.getValue("Can-Retransform-Classes")).isEqualTo("true");
            assertThat(manifest.getValue("Implementation-Title")).isEqualTo("ucxnio");
            assertThat(manifest.getValue("Implementation-Version")).isNotBlank();
        }
    }

    @Test
    void shouldRunOnTheJavaReleasesItPromises() throws IOException {
        try (JarFile jar = open()) {
            for (JarEntry entry : files(jar)) {
                if (entry.getName().endsWith(".class")) {
                    int newest = entry.getName().contains("/ffm/") ? JAVA_22 : JAVA_17;
                    assertThat(majorVersion(jar, entry)).as(entry.getName()).isLessThanOrEqualTo(newest);
                }
            }
        }
    }

    @Test
    void shouldNameOnlyServicesThatAreInside() throws IOException {
        try (JarFile jar = open()) {
            List<JarEntry> services = files(jar).stream()
                    .filter(entry -> entry.getName().startsWith(SERVICES))
                    .toList();
            assertThat(services).extracting(JarEntry::getName).contains(SERVICES + "org.ucxnio.ucx.UcxBackend");
            for (JarEntry service : services) {
                assertThat(implementations(jar, service))
                        .as(service.getName())
                        .isNotEmpty()
                        .doesNotHaveDuplicates()
                        .allMatch(name -> jar.getEntry(name.replace('.', '/') + ".class") != null);
            }
        }
    }

    @Test
    void shouldPrintAReportWhenStarted() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(java, "-jar", JAR.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("ended").isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        assertThat(output).containsIgnoringCase("ucx").doesNotContain("WARNING: A restricted method");
    }

    private static JarFile open() throws IOException {
        return new JarFile(JAR.toFile());
    }

    private static List<JarEntry> files(JarFile jar) {
        return jar.stream().filter(entry -> !entry.isDirectory()).toList();
    }

    private static int majorVersion(JarFile jar, JarEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            byte[] start = in.readNBytes(MAJOR_VERSION_OFFSET + 2);
            return (start[MAJOR_VERSION_OFFSET] & 0xff) << 8 | start[MAJOR_VERSION_OFFSET + 1] & 0xff;
        }
    }

    private static List<String> implementations(JarFile jar, JarEntry service) throws IOException {
        try (InputStream in = jar.getInputStream(service)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.replaceFirst("#.*", "").trim())
                    .filter(line -> !line.isEmpty())
                    .toList();
        }
    }
}
