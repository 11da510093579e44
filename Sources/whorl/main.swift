import Linux
import SecretMemory

guard StandardStream.fillGaps() else { ProcessEnd.exit(1) }
// A shell's limit on locked memory may be tiny; a client then goes on with memory that is wiped
// and left out of core dumps all the same.
LockedArena.shared.requireLocking(false)
LockedArena.shared.useSmallChunks()
ProcessEnd.exit(Tool.run(OwnProcess.arguments))
