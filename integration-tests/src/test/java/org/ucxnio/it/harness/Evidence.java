package org.ucxnio.it.harness;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Prints the state of this JVM and of its children when a test fails or runs into its deadline. */
public final class Evidence implements TestExecutionExceptionHandler, PreInterruptCallback {
    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        boolean skipped = failure instanceof org.opentest4j.TestAbortedException;
        if (!skipped && !(failure instanceof java.util.concurrent.TimeoutException)) {
            print("Failed: " + title(context), failure);
        }
        throw failure;
    }

    @Override
    public void beforeThreadInterrupt(PreInterruptContext preInterrupt, ExtensionContext context) {
        print("Out of time: " + title(context), null);
    }

    private static String title(ExtensionContext context) {
        StringBuilder title = new StringBuilder(context.getDisplayName());
        for (var at = context.getParent(); at.isPresent(); at = at.get().getParent()) {
            title.insert(0, at.get().getDisplayName() + " > ");
        }
        return title.toString();
    }

    private static synchronized void print(String title, Throwable failure) {
        System.err.println("===== " + title);
        if (failure != null) {
            failure.printStackTrace();
        }
        for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
            System.err.print(describe(thread));
        }
        ChildJvm.alive().forEach(child -> System.err.println(child.evidence()));
        System.err.println("===== end of evidence");
    }

    /** Like {@link ThreadInfo#toString()}, which shows only the first eight frames. */
    private static String describe(ThreadInfo thread) {
        StringBuilder text = new StringBuilder("\"" + thread.getThreadName() + "\" " + thread.getThreadState());
        if (thread.getLockName() != null) {
            text.append(" on ").append(thread.getLockName()).append(" held by ").append(thread.getLockOwnerName());
        }
        text.append('\n');
        for (StackTraceElement frame : thread.getStackTrace()) {
            text.append("    at ").append(frame).append('\n');
        }
        return text.append('\n').toString();
    }
}
