package org.ucxnio;

/** {@code java -jar ucxnio.jar}: what this machine offers. */
public final class Main {
    private Main() {}

    /** Prints the report. */
    public static void main(String[] arguments) {
        System.out.print(UcxNio.report());
    }
}
