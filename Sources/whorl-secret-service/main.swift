import Linux
import SecretMemory

guard BlockingStream.fillGaps() else { OwnProcess.exit(1) }
LockedArena.shared.requireLocking(false)
// Nobody waits for an answer any more when the reading end of the output is closed.
guard (try? HangUpThread.exitProcess(onHangUpOf: 1)) != nil else { OwnProcess.exit(1) }
OwnProcess.exit(KeyringService.run())
