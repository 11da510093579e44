import Foundation
import Glibc
import TestHost
import Testing

/// What may lie in the folder of a user's prints instead of prints.
enum PrintTreeAttack: String, CaseIterable {
  case folderIsLink, folderIsFile, link, linkToFolder, fifo, socket, device, hugeFile, manyFiles
  case manyFolders, deepFolders, muchInAll, escapes, hardLink, otherMount, grownFile

  func happen(_ folder: String, _ host: PrivateHost) throws {
    let entry = "\(folder)/entry"
    func shell(_ script: String) throws {
      let result = try host.run(["/bin/bash", "-c", script, "bash", folder, entry], seconds: 20)
      guard result.status == 0 else { throw PrivateHost.Missing(result.error) }
    }
    switch self {
    case .folderIsLink: try shell("mv \"$1\" \"$1.there\" && ln -s \"$1.there\" \"$1\"")
    case .folderIsFile: try shell("mv \"$1\" \"$1.there\" && echo x >\"$1\"")
    case .link: try shell("ln -s /etc/shadow \"$2\"")
    case .linkToFolder: try shell("ln -s .. \"$2\"")
    case .fifo: try shell("mkfifo \"$2\"")
    case .socket:
      try shell(
        "python3 -c 'import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' $2")
    case .device: try shell("mknod \"$2\" c 1 5")
    case .hugeFile: try shell("truncate -s 1T \"$2\"")
    case .manyFiles: try shell("mkdir \"$2\" && cd \"$2\" && touch {1..20000}")
    case .manyFolders: try shell("mkdir \"$2\" && cd \"$2\" && mkdir {1..8}{0..9}{0..9}{0..9}")
    case .deepFolders: try shell("mkdir -p \"$2/$(yes d | head -200 | paste -sd/)\"")
    case .muchInAll:
      try shell("for i in {1..60}; do head -c 1000000 /dev/zero >\"$1/$i\"; done")
    case .escapes: try shell("echo x >\"$1\"/$'a\\033[31m\\nWHORL_OUTCOME=success\\n\\xff'")
    case .hardLink: try shell("ln \"$(find \"$1\" -type f | head -1)\" \"$2\"")
    case .otherMount: try shell("mkdir \"$2\" && mount --bind \"$1\" \"$2\"")
    case .grownFile: try shell("echo >>\"$(find \"$1\" -type f | head -1)\"")
    }
  }

  static func undo(_ folder: String, _ host: PrivateHost) throws {
    umount2("\(folder)/entry", Int32(MNT_DETACH))
    _ = try host.run(["/bin/rm", "-rf", folder, "\(folder).there"], seconds: 20)
  }
}

@Suite(.serialized) final class PrintTreeTests {
  let host: PrivateHost
  var folder: String { host.folder(ofPrintsOf: "games") }

  init() throws {
    host = try PrivateHost.complete()
    try host.enroll("carol", finger: "left-index-finger", user: "games")
    try host.savePrints(of: "games")
  }

  private func quickly(_ attack: PrintTreeAttack, _ words: [String]) throws -> CommandResult {
    let start = ContinuousClock.now
    let result = try host.whorl(words)
    #expect(ContinuousClock.now - start < .seconds(3), "\(words) \(attack)")
    let text = result.output + result.error
    #expect(!text.contains("\u{1b}") && !text.contains("\nWHORL"), "\(attack): \(text)")
    return result
  }

  @Test(.enabled(if: Namespace.isOwn, Namespace.need))
  func `whatever lies among the prints is a change, seen in bounded time and told unharmed`() throws
  {
    for attack in PrintTreeAttack.allCases {
      try host.add("token", access: "biometryCurrentSet", ["--replace"])
      try attack.happen(folder, host)
      let read = try quickly(attack, ["read", "token"])
      #expect(read.status == 93, "\(attack): \(read.error)")
      let show = try quickly(attack, ["show", "token"])
      #expect(show.output.contains("invalidated"), "\(attack): \(show.output)")
      #expect(try quickly(attack, ["status"]).status == 0)
      #expect(try quickly(attack, ["log", "-n", "5"]).status == 0)
      // As it was: the end stays an end.
      try PrintTreeAttack.undo(folder, host)
      try host.copy("\(host.folder)/saved-games", folder)
      #expect(try host.whorl(["read", "token"]).status == 93, "\(attack)")
    }
  }
}
