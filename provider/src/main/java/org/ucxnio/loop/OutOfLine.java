package org.ucxnio.loop;

/**
 * How a method says that the just-in-time compiler is to compile it for itself. HotSpot compiles hot methods of up to 325 bytes
 * ({@code FreqInlineSize}) once more into each of their callers, and these into theirs. A read, a write or a selection of ours is a tree of a
 * hundred methods, and programs call it from within a dozen of their own that are hot. Each of these was compiled with the tree in it, and
 * again whenever something in there changed, as when connections move: in a program's first ten seconds compilers took half as much
 * processor time again, away from the program where processors are few.
 *
 * <p>A table of this size makes the method longer than that:
 *
 * <pre>
 *      switch (OutOfLine.HERE) {
 *          case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -&gt; {}
 *          default -&gt; {}
 *      }
 * </pre>
 *
 * <p>It costs nothing: compilers take it out, as what it asks for is a constant. A Java that inlines the method all the same only compiles
 * more.
 */
public final class OutOfLine {
    /** What the table is asked for. */
    public static final int HERE = 0;

    private OutOfLine() {}
}
