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
 *      if (OutOfLine.NEVER) {
 *          switch (OutOfLine.HERE) {
 *              case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -&gt; {}
 *              default -&gt; {}
 *          }
 *      }
 *      for (int i = 0; i &lt; OutOfLine.EARLY; i++) {}
 * </pre>
 *
 * <p>It costs nothing: compilers take it out. A table that is come by is worse than none: the first compiler takes it out without a count of who
 * came by, so that the second one takes it for the end of what is ever run, and compiles the method for nothing.
 *
 * <p>The loop has the method compiled sooner than the methods in its tree, which are called as often. HotSpot's second compiler has a method's
 * turn when it was called 5,000 times, or when its calls and the turns of its loops are 15,000 (both numbers grow alike with its queue). All of
 * a tree came to 5,000 at the same time, and was compiled level by level, each level with all that is below. Where the tree is compiled as a
 * whole, after half as many calls, the rest never gets there.
 *
 * <p>A Java that inlines the method all the same only compiles more.
 */
public final class OutOfLine {
    /** No constant to the compiler of the source code. */
    public static final boolean NEVER = Boolean.parseBoolean("false");

    /** What the table would be asked for. */
    public static final int HERE = 0;

    /** Turns of the loop. With many more the method is compiled before it is known which of its branches are taken. */
    public static final int EARLY = 5;

    private OutOfLine() {}
}
