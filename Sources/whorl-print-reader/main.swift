import Fprint
import Linux
import Wire

// The socket is standard input. A print is untrusted bytes for a large C library, so this process
// gives up its user and its means to open files before it reads the first of them.
guard let socket = try? Hardening.takeSocket() else { OwnProcess.exit(1) }
let stream = BlockingStream(socket)
do {
  Hardening.reduceEnvironment(keeping: [])
  try Hardening.dropRoot()
  try Hardening.forbidDumps()
  try Hardening.forbidOpening()
} catch {
  OwnProcess.exit(1)
}
guard let header = stream.read(count: WorkerFrame.headerCount),
  let count = try? WorkerFrame.count(header: header, limit: PrintReaderReply.printLimit),
  let bytes = stream.read(count: count)
else { OwnProcess.exit(1) }
stream.write(PrintReaderReply(print: Print(bytes: bytes)).encoded().span)
OwnProcess.exit(0)
