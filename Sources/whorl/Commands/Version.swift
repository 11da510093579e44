import Product
import Wire

extension Command {
  static let version = Command(
    name: "version", synopsis: "", summary: "print the version", isAboutItems: false
  ) { _ throws(CommandError) in
    try Output.print("whorl \(Product.version) (protocol \(ClientHello.version))")
    return 0
  }
}
