import CFaults
import Glibc

// fault-launcher SOCKET CALL[,CALL…] PROGRAM [ARGUMENT…]
//
// Becomes the program, with the named system calls left to whoever listens at SOCKET, who may let
// each go on, make it fail, or end the program before it.

exit(faults_launch(CommandLine.argc, CommandLine.unsafeArgv))
