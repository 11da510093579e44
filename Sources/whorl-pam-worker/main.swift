import Linux
import Wire

// The socket is standard input (Accept=yes with StandardInput=socket, or --inetd).
guard (try? Hardening.bindAtOnce()) != nil, let socket = try? Hardening.takeSocket() else {
  OwnProcess.exit(1)
}
let channel = WorkerChannel(descriptor: socket)
do {
  Hardening.reduceEnvironment(keeping: ["DBUS_SYSTEM_BUS_ADDRESS"])
  Hardening.blockInterrupt()
  try Hardening.forbidDumps()
  try HangUpThread.exitProcess(onHangUpOf: socket)
} catch {
  channel.send(.failure(.unprotected, "\(error)"))
  OwnProcess.exit(1)
}
WorkerSession(channel: channel).serve()
OwnProcess.exit(0)
