package org.ucxnio.it.programs;

import java.io.OutputStream;
import java.util.Map;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.ucxnio.it.harness.KeyStores;

/** Jetty; see {@link HttpUser} for what it serves. Argument: port. */
public final class JettyServer {
    private JettyServer() {}

    public static void main(String[] arguments) throws Exception {
        Server server = new Server();
        ServerConnector connector = Tls.isOn() ? new ServerConnector(server, tls()) : new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(arguments[0]));
        server.addConnector(connector);
        server.setHandler(new Patterned());
        server.start();
        Commands.print("LISTENING " + connector.getLocalPort());
        Commands.serve(Map.of());
    }

    private static SslContextFactory.Server tls() {
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStorePath(Tls.file());
        tls.setKeyStorePassword(KeyStores.PASSWORD);
        return tls;
    }

    private static final class Patterned extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            String[] words = Request.getPathInContext(request).split("/");
            response.setStatus(200);
            if (words[1].equals("echo")) {
                response.write(true, Content.Source.asByteBuffer(request), callback);
            } else {
                try (OutputStream out = Content.Sink.asOutputStream(response)) {
                    Patterns.write(out, Long.parseLong(words[2]), Long.parseLong(words[3]));
                }
                callback.succeeded();
            }
            return true;
        }
    }
}
