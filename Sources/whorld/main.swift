import Daemon
import Glibc
import HostAuthentication
import Linux
import Systemd

// Composition root: reads the command line and the configuration, takes the socket from the
// service manager, and serves.

let arguments = CommandLine.arguments.dropFirst()

func stop(_ text: String) -> Never {
  StandardError.write("whorld: \(text)\n")
  exitNow(1)
}

let path: String
switch (arguments.first, arguments.count) {
case (nil, 0): path = Configuration.defaultPath
case ("--config", 2): path = arguments[2]
case ("--help", 1):
  StandardError.write(
    """
    whorld [--config FILE]
    Keeps items and gates them by presence. FILE is \(Configuration.defaultPath) by default; a line is
    `key = value`. See whorld.conf(5). SIGHUP reads it again, SIGTERM stops.

    """)
  exitNow(0)
default: stop("usage: whorld [--config FILE]")
}

do {
  guard OwnProcess.user == 0 else { stop("must be started as root, by whorld.service") }
  try Hardening.forbidDumps()
  let sockets = Activation.sockets()
  guard sockets.count < 2 else { stop("more than one socket was handed over") }
  let daemon = try Daemon(
    configuration: Configuration(file: path),
    listener: sockets.first.map { ListeningSocket(inherited: $0.fileDescriptor) },
    reload: { try Configuration(file: path) })
  try daemon.run()
} catch let problem as Configuration.Problem {
  stop("\(path):\(problem.line): \(problem.text)")
} catch {
  stop(Daemon.StartError(error).text)
}
