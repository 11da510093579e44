import Foundation
import Glibc
import TestHost

/// The PAM modules that the tests load by path.
enum Modules {
  /// The product's, as the tests' build made it.
  static func whorl() throws -> String {
    let path = "\(PrivateHost.programs)/libpam_whorl.so"
    guard access(path, F_OK) == 0 else {
      throw PrivateHost.Missing("\(path) is not built: swift build --product pam_whorl")
    }
    return path
  }

  /// gnome-keyring's: of the machine, or of its package, which was unpacked and not installed.
  static func keyring() throws -> String {
    let name = "lib/x86_64-linux-gnu/security/pam_gnome_keyring.so"
    let unpacked = PrivateHost.repository.path + "/.build/unpacked/libpam-gnome-keyring/" + name
    for path in ["/" + name, unpacked] where access(path, F_OK) == 0 { return path }
    throw PrivateHost.Missing(
      "unpack it: Tests/unpack.sh .build/unpacked libpam-gnome-keyring")
  }
}
