package org.ucxnio.bench.programs.http;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** Jetty as it is configured by default; answers every request with the same bytes. */
public final class BytesServer {
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    /**
     * @param port the port it listens on; 0 for any
     * @param size bytes in an answer
     */
    public BytesServer(int port, int size) throws Exception {
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        connector.setPort(port);
        server.addConnector(connector);
        ByteBuffer body = ByteBuffer.wrap(Body.of(size)).asReadOnlyBuffer();
        server.setHandler(new Handler.Abstract.NonBlocking() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                response.getHeaders().put(HttpHeader.CONTENT_LENGTH, size);
                response.write(true, body.duplicate(), callback);
                return true;
            }
        });
        server.start();
    }

    public int port() {
        return connector.getLocalPort();
    }

    public void end() throws Exception {
        server.stop();
    }
}
