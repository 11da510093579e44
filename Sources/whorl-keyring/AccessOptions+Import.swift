import AccessControl

extension AccessOptions {
  /// The access control of every item that is imported.
  static func importControl(_ arguments: Arguments) throws(CommandError) -> AccessControl {
    let control = try control(arguments)
    guard !control.needsApplicationPassword else {
      throw CommandError(
        usage: "an import gives no item a password of its own", arguments.command.usage)
    }
    return control
  }
}
