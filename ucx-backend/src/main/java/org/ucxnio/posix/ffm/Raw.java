package org.ucxnio.posix.ffm;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Memory by absolute address, and the making of downcall handles. Internal to the FFM packages: nothing here checks that
 * an address is mapped.
 *
 * <p>Pointers travel as {@code long}s in both directions and memory is read through one segment that spans everything, so
 * that no {@link MemorySegment} is made on a hot path. Accesses need no alignment.
 */
@SuppressWarnings("restricted")
public final class Raw {
    private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /** Arguments that travel in registers: 6 on x86-64, 8 on 64-bit ARM. */
    private static final int REGISTERS = 6;

    private Raw() {}

    public static byte getByte(long address) {
        return EVERYTHING.get(ValueLayout.JAVA_BYTE, address);
    }

    public static short getShort(long address) {
        return EVERYTHING.get(ValueLayout.JAVA_SHORT_UNALIGNED, address);
    }

    public static int getInt(long address) {
        return EVERYTHING.get(ValueLayout.JAVA_INT_UNALIGNED, address);
    }

    public static long getLong(long address) {
        return EVERYTHING.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    public static void putByte(long address, byte value) {
        EVERYTHING.set(ValueLayout.JAVA_BYTE, address, value);
    }

    public static void putShort(long address, short value) {
        EVERYTHING.set(ValueLayout.JAVA_SHORT_UNALIGNED, address, value);
    }

    public static void putInt(long address, int value) {
        EVERYTHING.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
    }

    public static void putLong(long address, long value) {
        EVERYTHING.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
    }

    public static void copy(long source, long target, long length) {
        MemorySegment.copy(EVERYTHING, source, EVERYTHING, target, length);
    }

    /** Copies memory out to a new array. */
    public static byte[] bytes(long address, int length) {
        byte[] copy = new byte[length];
        MemorySegment.copy(EVERYTHING, ValueLayout.JAVA_BYTE, address, copy, 0, length);
        return copy;
    }

    /** Copies an array to memory. */
    public static void put(long address, byte[] bytes) {
        MemorySegment.copy(bytes, 0, EVERYTHING, ValueLayout.JAVA_BYTE, address, bytes.length);
    }

    /** The zero-terminated string at an address, or null for a null pointer. */
    public static String string(long address) {
        return address == 0 ? null : EVERYTHING.getString(address, StandardCharsets.UTF_8);
    }

    /** A direct buffer in native order over memory that nobody but its owner frees: no liveness check on access. */
    public static ByteBuffer buffer(long address, int length) {
        return EVERYTHING.asSlice(address, length).asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /**
     * A handle for the C function at {@code address}: {@code long}s in and a {@code long} out, whatever is declared. Integers and
     * pointers travel in registers of 64 bits, of which a callee looks at as many as it declares; of a result the caller casts to what
     * is declared, and leaves it alone where that is {@code void}. Functions that take the same number of arguments so share the code
     * that Java makes for a call, several milliseconds' worth of it for each kind.
     */
    public static MethodHandle downcall(long address, int arguments, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(address), ofLongs(arguments), options);
    }

    /**
     * As {@link #downcall}, with as many arguments as travel in registers, whatever is declared: for {@link #call}, so that all functions
     * share one kind of call. What a callee does not declare it does not look at. A variadic one, such as {@code ioctl} or {@code syscall},
     * finds its arguments in the same registers, on x86-64 as on 64-bit ARM under Linux, as none is a floating-point number.
     */
    public static MethodHandle function(long address) {
        return downcall(address, REGISTERS);
    }

    public static long call(MethodHandle function) {
        return call(function, 0);
    }

    public static long call(MethodHandle function, long first) {
        return call(function, first, 0);
    }

    public static long call(MethodHandle function, long first, long second) {
        return call(function, first, second, 0);
    }

    public static long call(MethodHandle function, long first, long second, long third) {
        return call(function, first, second, third, 0, 0);
    }

    public static long call(MethodHandle function, long first, long second, long third, long fourth, long fifth) {
        return call(function, first, second, third, fourth, fifth, 0);
    }

    /** Calls what {@link #function} gave. */
    public static long call(
            MethodHandle function, long first, long second, long third, long fourth, long fifth, long sixth) {
        try {
            return (long) function.invokeExact(first, second, third, fourth, fifth, sixth);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static FunctionDescriptor ofLongs(int arguments) {
        MemoryLayout[] layouts = new MemoryLayout[arguments];
        Arrays.fill(layouts, ValueLayout.JAVA_LONG);
        return FunctionDescriptor.of(ValueLayout.JAVA_LONG, layouts);
    }

    /** What a downcall handle threw: never a checked exception, as C throws none. */
    public static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        if (thrown instanceof Error e) {
            throw e;
        }
        return new IllegalStateException(thrown);
    }
}
