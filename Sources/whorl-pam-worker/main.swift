import Linux
import Wire

// The socket is standard input (Accept=yes with StandardInput=socket, or --inetd).
let channel = WorkerChannel(descriptor: 0)
do {
  Hardening.reduceEnvironment(keeping: ["DBUS_SYSTEM_BUS_ADDRESS"])
  Hardening.blockInterrupt()
  try Hardening.forbidDumps()
  try HangUpThread.exitProcess(onHangUpOf: 0)
} catch {
  channel.send(.failure(.unprotected, "\(error)"))
  exitNow(1)
}
WorkerSession(channel: channel).serve()
exitNow(0)
