package org.ucxnio.agent;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import org.ucxnio.config.Config;
import org.ucxnio.jdk.Natives;
import org.ucxnio.jdk.TransferHook;

/**
 * The agent of {@code -javaagent:ucxnio.jar=name=value,...}. What it finds set by {@code -D} it leaves as it is. It logs nothing, since
 * programs choose their logging in {@code main}; what is wrong it says on standard error.
 */
public final class Agent {
    private static final String PROVIDER = "java.nio.channels.spi.SelectorProvider";
    private static final String OURS = "org.ucxnio.UcxSelectorProvider";

    private Agent() {}

    /** Called by the JVM. Ends it with status 1 and one line where an option or a property {@code ucxnio.*} is wrong. */
    public static void premain(String options, Instrumentation instrumentation) {
        try {
            install(AgentOptions.parse(options), instrumentation);
        } catch (IllegalArgumentException e) {
            say(e.getMessage());
            System.exit(1);
        }
    }

    private static void install(AgentOptions options, Instrumentation instrumentation) {
        for (Map.Entry<String, String> each : options.properties().entrySet()) {
            setUnlessSet(each.getKey(), each.getValue());
        }
        if (!Config.fromSystemProperties().enabled()) {
            return;
        }
        String other = System.getProperty(PROVIDER, OURS);
        if (!other.equals(OURS)) {
            say("the agent does nothing, as " + PROVIDER + " is " + other);
            return;
        }
        setUnlessSet(PROVIDER, OURS);
        if (Natives.hasForeignFunctions()) {
            Natives.permitBy(new NativeAccess(instrumentation));
        }
        TransferHook.patchBy(new LatePatch(instrumentation));
        if (options.nettyOnNio()) {
            instrumentation.addTransformer(new NettyOnNio());
        }
    }

    static void setUnlessSet(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }

    private static void say(String line) {
        System.err.println("ucxnio: " + line);
    }
}
