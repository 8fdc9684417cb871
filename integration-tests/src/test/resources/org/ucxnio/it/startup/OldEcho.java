import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/** An application of its time: nothing newer than Java 8, and no idea of any provider. Echoes within one selector. */
public final class OldEcho {
    private OldEcho() {}

    public static void main(String[] arguments) throws Exception {
        Selector selector = Selector.open();
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        SocketChannel client = SocketChannel.open(listener.getLocalAddress());
        SocketChannel server = listener.accept();
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_READ);
        ByteBuffer echoed = ByteBuffer.allocate(64);
        for (int i = 0; i < 1000; i++) {
            client.write(ByteBuffer.wrap(new byte[] {(byte) i}));
            while (selector.select() == 0) {
                // nothing yet
            }
            selector.selectedKeys().clear();
            echoed.clear();
            server.read(echoed);
            echoed.flip();
            server.write(echoed);
            echoed.clear();
            client.read(echoed);
            if (echoed.position() != 1 || echoed.get(0) != (byte) i) {
                throw new IllegalStateException("Round " + i + " brought " + echoed);
            }
        }
        System.out.println("PROVIDER " + SelectorProvider.provider().getClass().getName());
        System.out.println("CHANNELS " + client.getClass().getName() + " " + server.getClass().getName() + " "
                + listener.getClass().getName() + " " + selector.getClass().getName());
        System.out.println("DONE");
    }
}
