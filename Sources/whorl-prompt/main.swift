import DesktopPrompt
import Linux
import SecretMemory

// Started by the client library for one request, and ended with it. A shell's limit on locked memory
// may be tiny; memory is wiped and left out of core dumps all the same.
LockedArena.shared.requireLocking(false)
LockedArena.shared.useSmallChunks()
guard (try? Hardening.forbidReading()) != nil else { OwnProcess.exit(1) }
PromptHelper(StreamSocket(OwnedDescriptor(owning: 0))).run()
OwnProcess.exit(0)
