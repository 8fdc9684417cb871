package org.ucxnio.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;

/**
 * Tells each Netty that a program loads, also under another name, to do without its native transports. Netty has a property for that,
 * which it reads by a class of its own; where Netty was relocated into another package both have been, alike. So the name of that class,
 * as it is loaded, tells the name of the property, before it is read. Changes no class. Thread-safe.
 */
final class NettyOnNio implements ClassFileTransformer {
    private static final String READER = "netty/util/internal/SystemPropertyUtil";
    private static final String PROPERTY = "netty.transport.noNative";

    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
        String property = name == null ? null : propertyOf(name);
        if (property != null) {
            Agent.setUnlessSet(property, "true");
        }
        return null;
    }

    /** @param name of a class, with slashes; null where it is not the one */
    static String propertyOf(String name) {
        return name.endsWith(READER)
                ? name.substring(0, name.length() - READER.length())
                        .replace('/', '.')
                        .concat(PROPERTY)
                : null;
    }
}
