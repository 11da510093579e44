import Daemon
import HostAuthentication
import Linux
import Systemd

// Composition root: reads the command line and the configuration, takes the socket from the
// service manager, and serves.
//
// Everything stands in functions: a variable out here belongs to the main actor, and the runtime of
// concurrency would be linked for it.

func stop(_ text: String) -> Never {
  ServiceNote.write(text)
  OwnProcess.exit(1)
}

func configurationPath(_ arguments: ArraySlice<String>) -> String {
  let usage = "usage: whorld [--config FILE | --print DOCUMENT]"
  switch (arguments.first, arguments.count) {
  case (nil, 0): return Configuration.defaultPath
  case ("--config", 2): return arguments[2]
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
}

func serve(_ path: String) {
  do {
    guard OwnProcess.user == 0 else { stop("must be started as root, by whorld.service") }
    try Hardening.bindAtOnce()
    try Hardening.forbidDumps()
    let sockets = Activation.sockets()
    guard sockets.count < 2 else { stop("more than one socket was handed over") }
    let daemon = try Daemon(
      configuration: Configuration(file: path),
      listener: sockets.first.map { try ListeningSocket(inherited: $0.fileDescriptor) },
      reload: { try Configuration(file: path) })
    try daemon.run()
  } catch let problem as Configuration.Problem {
    stop("\(path):\(problem.line): \(problem.text)")
  } catch let error as Daemon.StartError {
    stop(error.text)
  } catch {
    stop("\(error)")
  }
}

guard BlockingStream.fillGaps() else { OwnProcess.exit(1) }
serve(configurationPath(CommandLine.arguments.dropFirst()))
