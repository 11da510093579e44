import CLinux
// Takes the place of the runtime's backtracer; nothing here calls it.
import CStartUp

/// In place of the Swift runtime's own function of this name, so that the linker leaves out the
/// object that has it: a constructor in there searches /proc/self/maps for the arguments in every
/// process, before `main`, and takes a twentieth of a short command's time. Only for a program
/// that is linked statically. `CommandLine` gives the same as before.
@c(_swift_stdlib_getUnsafeArgvArgc)
@unsafe
public func runtimeArguments(
  _ count: UnsafeMutablePointer<CInt>
) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
  // SAFETY: the runtime passes a place for the count, and keeps strings that stay as long as the
  // process.
  unsafe whorl_arguments(count)
}
