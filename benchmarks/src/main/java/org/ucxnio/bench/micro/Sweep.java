package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.function.Function;
import org.ucxnio.bench.child.Points;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;

/** Measures a program with one value of a setting after another. Its one server serves them all. */
final class Sweep implements Program {
    private final Settings settings;
    private final Reporter reporter;
    private final Function<Options, Program> program;

    Sweep(Settings settings, Reporter reporter, Function<Options, Program> program) {
        this.settings = settings;
        this.reporter = reporter;
        this.program = program;
    }

    @Override
    public void serve(ServerSocketChannel listener) throws IOException, InterruptedException {
        program.apply(Options.of(settings, reporter)).serve(listener);
    }

    @Override
    public void drive(SocketAddress server) throws IOException, InterruptedException {
        Points.measure(
                settings,
                reporter,
                (point, at) -> program.apply(Options.of(point, at)).drive(server));
    }
}
