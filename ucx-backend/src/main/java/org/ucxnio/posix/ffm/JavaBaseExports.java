package org.ucxnio.posix.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Exports a package of {@code java.base} to the unnamed module without a command-line flag: JNI, called through the foreign
 * function interface, calls the private {@code Module.implAddExportsToAllUnnamed}. JNI has no access checks.
 *
 * <p>Function tables are those of {@code jni.h}; their indexes are fixed for all versions.
 */
@SuppressWarnings("restricted")
final class JavaBaseExports {
    // Indexes into struct JNIInvokeInterface_ and struct JNINativeInterface_.
    private static final int GET_ENV = 6;
    private static final int FIND_CLASS = 6;
    private static final int EXCEPTION_CLEAR = 17;
    private static final int NEW_GLOBAL_REF = 21;
    private static final int DELETE_GLOBAL_REF = 22;
    private static final int GET_METHOD_ID = 33;
    private static final int CALL_OBJECT_METHOD_A = 36;
    private static final int CALL_VOID_METHOD_A = 63;
    private static final int NEW_STRING_UTF = 167;
    private static final int EXCEPTION_CHECK = 228;
    private static final int GET_OBJECT_REF_TYPE = 232;

    private static final int JNI_OK = 0;
    private static final int JNI_LOCAL_REF_TYPE = 1;
    private static final int JNI_VERSION_10 = 0x000a0000;

    /** Each is two calls, by two handles: enough for the one behind them, too few for themselves. */
    private static final int CHECKS_TO_SETTLE = 70;

    /** Loop twice: once to link the call site, once for the result. */
    private static final boolean[] FIRST_TO_LINK = {false, true};

    private JavaBaseExports() {}

    /** Whether the package is exported to this class's module afterwards. */
    static boolean export(String packageName) {
        if (isExported(packageName)) {
            return true;
        }
        if (!Object.class.getModule().getPackages().contains(packageName)) {
            return false;
        }
        try {
            if (Thread.currentThread().isVirtual()) {
                // A JNIEnv belongs to the carrier, which a virtual thread can leave between two calls.
                Thread hop = new Thread(() -> attempt(packageName), "ucxnio-exports");
                hop.setDaemon(true);
                hop.start();
                hop.join();
            } else {
                attempt(packageName);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return isExported(packageName);
    }

    private static boolean isExported(String packageName) {
        return Object.class.getModule().isExported(packageName, JavaBaseExports.class.getModule());
    }

    /** Whether it worked is seen by {@link #isExported}: any failure means that the package is not. */
    private static void attempt(String packageName) {
        try (Arena arena = Arena.ofConfined()) {
            long env = currentEnv(arena);
            if (env != 0) {
                new Env(arena, env).addExports(packageName);
            }
        } catch (Throwable t) {
            System.getLogger(JavaBaseExports.class.getName())
                    .log(System.Logger.Level.DEBUG, "export of " + packageName + " failed", t);
        }
    }

    private static long currentEnv(Arena arena) throws Throwable {
        // jint JNI_GetCreatedJavaVMs(JavaVM **vmBuf, jsize bufLen, jsize *nVMs)
        String libjvm = Path.of(System.getProperty("java.home"), "lib", "server", "libjvm.so")
                .toString();
        long function = SymbolLookup.libraryLookup(libjvm, arena)
                .find("JNI_GetCreatedJavaVMs")
                .orElseThrow()
                .address();
        MemorySegment result = arena.allocate(2L * Long.BYTES, Long.BYTES);
        int status = (int) (long)
                Raw.function(function).invokeExact(result.address(), 1L, result.address() + Long.BYTES, 0L, 0L, 0L);
        if (status != JNI_OK || result.get(JAVA_INT, Long.BYTES) != 1) {
            return 0;
        }
        long vm = result.get(JAVA_LONG, 0);
        // jint GetEnv(JavaVM *vm, void **penv, jint version)
        status = (int) (long) Raw.function(tableEntry(vm, GET_ENV))
                .invokeExact(vm, result.address(), (long) JNI_VERSION_10, 0L, 0L, 0L);
        return status == JNI_OK ? result.get(JAVA_LONG, 0) : 0;
    }

    /** Both {@code JavaVM *} and {@code JNIEnv *} point to a pointer to a table of functions. */
    private static long tableEntry(long object, int index) {
        return Raw.getLong(Raw.getLong(object) + (long) index * Long.BYTES);
    }

    /**
     * The {@code JNIEnv} of the current thread.
     *
     * <p>Between two calls from here Java runs, which JNI does not expect. Two dangers follow. A pending exception would be
     * thrown anywhere, so it is cleared at once. And HotSpot drops a thread's local references whenever one of its native
     * methods returns; linking a call site runs such methods. So every call site is used once for nothing, a local
     * reference is turned into a global one by the very next call, and is checked to be still valid before and after.
     *
     * <p>Java also runs such methods when it makes code for a single handle, at its 128th call. One handle is behind all that call with
     * as many arguments, whoever they belong to, so that this could happen at any call here: it is brought about before the first
     * reference.
     */
    private static final class Env {
        private final Arena arena;
        private final long env;
        private final List<Long> globals = new ArrayList<>();

        // jclass FindClass(JNIEnv *env, const char *name)
        private final MethodHandle findClass;

        // jmethodID GetMethodID(JNIEnv *env, jclass clazz, const char *name, const char *sig)
        private final MethodHandle getMethodId;

        // jstring NewStringUTF(JNIEnv *env, const char *bytes)
        private final MethodHandle newStringUtf;

        // jobject CallObjectMethodA(JNIEnv *env, jobject obj, jmethodID methodID, const jvalue *args)
        private final MethodHandle callObjectMethod;

        // void CallVoidMethodA(JNIEnv *env, jobject obj, jmethodID methodID, const jvalue *args)
        private final MethodHandle callVoidMethod;

        // jobject NewGlobalRef(JNIEnv *env, jobject obj)
        private final MethodHandle newGlobalRef;

        // void DeleteGlobalRef(JNIEnv *env, jobject globalRef)
        private final MethodHandle deleteGlobalRef;

        // jobjectRefType GetObjectRefType(JNIEnv *env, jobject obj)
        private final MethodHandle getObjectRefType;

        // jboolean ExceptionCheck(JNIEnv *env)
        private final MethodHandle exceptionCheck;

        // void ExceptionClear(JNIEnv *env)
        private final MethodHandle exceptionClear;

        Env(Arena arena, long env) throws Throwable {
            this.arena = arena;
            this.env = env;
            findClass = Raw.function(tableEntry(env, FIND_CLASS));
            getMethodId = Raw.function(tableEntry(env, GET_METHOD_ID));
            newStringUtf = Raw.function(tableEntry(env, NEW_STRING_UTF));
            callObjectMethod = Raw.function(tableEntry(env, CALL_OBJECT_METHOD_A));
            callVoidMethod = Raw.function(tableEntry(env, CALL_VOID_METHOD_A));
            newGlobalRef = Raw.function(tableEntry(env, NEW_GLOBAL_REF));
            deleteGlobalRef = Raw.function(tableEntry(env, DELETE_GLOBAL_REF));
            getObjectRefType = Raw.function(tableEntry(env, GET_OBJECT_REF_TYPE));
            exceptionCheck = Raw.function(tableEntry(env, EXCEPTION_CHECK));
            exceptionClear = Raw.function(tableEntry(env, EXCEPTION_CLEAR));
        }

        void addExports(String packageName) throws Throwable {
            for (int i = 0; i < CHECKS_TO_SETTLE; i++) {
                noException();
            }
            // With null everything here is allowed and does nothing: this links the call sites.
            global(0);
            try {
                long classClass = findClass("java/lang/Class");
                long objectClass = findClass("java/lang/Object");
                long moduleClass = findClass("java/lang/Module");
                long getModule = methodId(classClass, "getModule", "()Ljava/lang/Module;");
                long module = callObject(objectClass, getModule);
                long addExports = methodId(moduleClass, "implAddExportsToAllUnnamed", "(Ljava/lang/String;)V");
                long arguments =
                        arena.allocateFrom(JAVA_LONG, newString(packageName)).address();
                long ignored = (long) callVoidMethod.invokeExact(env, module, addExports, arguments, 0L, 0L);
                noException();
            } finally {
                for (long reference : globals) {
                    long ignored = (long) deleteGlobalRef.invokeExact(env, reference, 0L, 0L, 0L, 0L);
                }
            }
        }

        private long findClass(String name) throws Throwable {
            long text = string(name);
            long result = 0;
            for (boolean linked : FIRST_TO_LINK) {
                result = (long) findClass.invokeExact(env, text, 0L, 0L, 0L, 0L);
                result = linked ? global(result) : result;
            }
            return present(result);
        }

        private long newString(String content) throws Throwable {
            long text = string(content);
            long result = 0;
            for (boolean linked : FIRST_TO_LINK) {
                result = (long) newStringUtf.invokeExact(env, text, 0L, 0L, 0L, 0L);
                result = linked ? global(result) : result;
            }
            return present(result);
        }

        private long callObject(long object, long method) throws Throwable {
            long result = 0;
            for (boolean linked : FIRST_TO_LINK) {
                result = (long) callObjectMethod.invokeExact(env, object, method, 0L, 0L, 0L);
                result = linked ? global(result) : result;
            }
            return present(result);
        }

        private long methodId(long clazz, String name, String signature) throws Throwable {
            long result = (long) getMethodId.invokeExact(env, clazz, string(name), string(signature), 0L, 0L);
            noException();
            return present(result);
        }

        private long string(String text) {
            return arena.allocateFrom(text).address();
        }

        /** Nothing but linked native calls may happen before and between these three. 0 where it went wrong. */
        private long global(long local) throws Throwable {
            int before = (int) (long) getObjectRefType.invokeExact(env, local, 0L, 0L, 0L, 0L);
            long reference = before == JNI_LOCAL_REF_TYPE || local == 0
                    ? (long) newGlobalRef.invokeExact(env, local, 0L, 0L, 0L, 0L)
                    : 0;
            int after = (int) (long) getObjectRefType.invokeExact(env, local, 0L, 0L, 0L, 0L);
            noException();
            if (reference == 0) {
                return 0;
            }
            globals.add(reference);
            return after == JNI_LOCAL_REF_TYPE ? reference : 0;
        }

        private static long present(long result) {
            if (result == 0) {
                throw new IllegalStateException("JNI gave no result");
            }
            return result;
        }

        private void noException() throws Throwable {
            boolean pending = (byte) (long) exceptionCheck.invokeExact(env, 0L, 0L, 0L, 0L, 0L) != 0;
            long ignored = (long) exceptionClear.invokeExact(env, 0L, 0L, 0L, 0L, 0L);
            if (pending) {
                throw new IllegalStateException("JNI threw an exception");
            }
        }
    }
}
