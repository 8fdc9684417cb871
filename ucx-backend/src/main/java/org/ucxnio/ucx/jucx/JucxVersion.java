package org.ucxnio.ucx.jucx;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openucx.jucx.ucp.UcpContext;
import org.ucxnio.ucx.UcxUnavailableException;
import org.ucxnio.ucx.library.LoadedLibrary;

/** The version of JUCX on the class path: it needs a libucx that is no older than itself. */
final class JucxVersion {
    /** The first in which a send can name the registration of its memory. */
    private static final int OLDEST_MINOR = 14;

    private static final String PROPERTIES = "/META-INF/maven/org.openucx/jucx/pom.properties";

    /** Of no more digits than an int holds. */
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})\\.(\\d{1,9})(?:\\D.*)?");

    private JucxVersion() {}

    /** As JUCX's JAR says it; empty where it does not, as in a JAR that was repacked. */
    static String text() {
        try (InputStream in = UcpContext.class.getResourceAsStream(PROPERTIES)) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "");
        } catch (IOException e) {
            return "";
        }
    }

    /** @throws UcxUnavailableException where the two do not fit; a version that is not known is taken to fit */
    static void requireFit(String jucx, LoadedLibrary library) throws UcxUnavailableException {
        Matcher numbers = NUMBERS.matcher(jucx);
        if (!numbers.matches()) {
            return;
        }
        int major = Integer.parseInt(numbers.group(1));
        int minor = Integer.parseInt(numbers.group(2));
        if (major < 1 || major == 1 && minor < OLDEST_MINOR) {
            throw new UcxUnavailableException(
                    "JUCX " + jucx + " is too old; ucxnio needs org.openucx:jucx 1." + OLDEST_MINOR + " or later");
        }
        if (!library.isAtLeast(major, minor)) {
            throw new UcxUnavailableException(
                    "JUCX " + jucx + " needs libucx " + major + "." + minor + " or later, and '"
                            + library.path() + "' is " + library.version()
                            + ": take a jucx.jar that is no newer, or name a newer libucx with ucxnio.ucx.path");
        }
    }
}
