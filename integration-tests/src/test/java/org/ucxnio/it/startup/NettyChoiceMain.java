package org.ucxnio.it.startup;

/** Says why Netty has none of its native transports, whose classes are the arguments. */
final class NettyChoiceMain {
    private NettyChoiceMain() {}

    public static void main(String[] arguments) throws ReflectiveOperationException {
        for (String transport : arguments) {
            Throwable cause = (Throwable)
                    Class.forName(transport).getMethod("unavailabilityCause").invoke(null);
            System.out.println(transport + ": " + cause);
        }
    }
}
