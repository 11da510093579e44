import Daemon
import HostAuthentication
import Linux
import Systemd

// Composition root: reads the command line and the configuration, takes the socket from the
// service manager, and serves.

let arguments = CommandLine.arguments.dropFirst()

func stop(_ text: String) -> Never {
  ServiceNote.write(text)
  OwnProcess.exit(1)
}

let usage = "usage: whorld [--config FILE | --print DOCUMENT]"
let path: String
switch (arguments.first, arguments.count) {
case (nil, 0): path = Configuration.defaultPath
case ("--config", 2): path = arguments[2]
case ("--print", 2):
  guard let text = ServiceDocument.text(arguments[2]) else {
    stop("--print takes one of \(ServiceDocument.names.joined(separator: ", "))")
  }
  OwnProcess.exit(BlockingStream.standardOutput.write(text) ? 0 : 1)
case ("--help", 1):
  BlockingStream.standardOutput.write(
    """
    \(usage)
    Keeps items and gates them by presence. FILE is \(Configuration.defaultPath) by default. SIGHUP
    reads it again, SIGTERM ends. DOCUMENT is one of \(ServiceDocument.names.joined(separator: ", ")).

    """)
  OwnProcess.exit(0)
default: stop(usage)
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
} catch let error as Daemon.StartError {
  stop(error.text)
} catch {
  stop("\(error)")
}
