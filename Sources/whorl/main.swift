import Linux
import SecretMemory

// A shell's limit on locked memory may be tiny; a client then goes on with memory that is wiped
// and left out of core dumps all the same.
LockedArena.shared.requireLocking(false)
LockedArena.shared.useSmallChunks()
OwnProcess.exit(Tool.run(OwnProcess.arguments))
