package org.ucxnio;

import java.io.IOException;

/**
 * {@code java -jar ucxnio.jar} prints what this machine offers; {@code java -jar ucxnio.jar PID} what a running process of the same
 * user does.
 */
public final class Main {
    private Main() {}

    /** Prints the report; exit status 1 where a process gives none, 2 for wrong arguments. */
    public static void main(String[] arguments) {
        if (arguments.length == 0) {
            System.out.print(UcxNio.report());
        } else if (arguments.length == 1 && arguments[0].matches("\\d{1,18}")) {
            print(Long.parseLong(arguments[0]));
        } else {
            System.err.println("Usage: java -jar ucxnio.jar [PID]");
            System.exit(2);
        }
    }

    private static void print(long pid) {
        try {
            System.out.print(ReportSocket.fetch(pid));
        } catch (IOException e) {
            System.err.println("Process " + pid + " gives no report: it does not use ucxnio, or is another user's ("
                    + e.getMessage() + ")");
            System.exit(1);
        }
    }
}
