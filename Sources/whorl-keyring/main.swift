import Linux
import SecretMemory

guard BlockingStream.fillGaps() else { OwnProcess.exit(1) }
// A shell's limit on locked memory may be tiny; a client then goes on with memory that is wiped
// and left out of core dumps all the same.
LockedArena.shared.requireLocking(false)
// Other programs of the same user may otherwise read what this one was given.
guard (try? Hardening.forbidReading()) != nil else { OwnProcess.exit(1) }
OwnProcess.exit(KeyringTool.run(OwnProcess.arguments))
