package org.ucxnio.it.programs;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.ucxnio.it.harness.KeyStores;

/** Tomcat with its NIO connector, with TLS also HTTP/2; see {@link HttpUser} for what it serves. Argument: port. */
public final class TomcatServer {
    private TomcatServer() {}

    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("user.dir"));
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setProperty("address", "127.0.0.1");
        connector.setPort(Integer.parseInt(arguments[0]));
        if (Tls.isOn()) {
            addTls(connector);
        }
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", System.getProperty("user.dir"));
        Tomcat.addServlet(context, "patterned", new Patterned());
        context.addServletMappingDecoded("/*", "patterned");
        tomcat.start();
        Commands.print("LISTENING " + connector.getLocalPort());
        Commands.serve(Map.of());
    }

    private static void addTls(Connector connector) {
        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate =
                new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        certificate.setCertificateKeystoreFile(Tls.file());
        certificate.setCertificateKeystorePassword(KeyStores.PASSWORD);
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
        connector.setSecure(true);
        connector.setScheme("https");
        connector.setProperty("SSLEnabled", "true");
        connector.addUpgradeProtocol(new Http2Protocol());
    }

    private static final class Patterned extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String[] words = request.getPathInfo().split("/");
            response.setContentLengthLong(Long.parseLong(words[3]));
            Patterns.write(response.getOutputStream(), Long.parseLong(words[2]), Long.parseLong(words[3]));
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] body = request.getInputStream().readAllBytes();
            response.getOutputStream().write(body);
        }
    }
}
