import Linux

/// Tells changes anywhere below fprintd's folder, as they happen.
///
/// It is a wake-up call, not the truth: whoever hears it reads the folder again.
public final class PrintWatch {
  private static let folderLimit = 8192

  private let loop: any EventLoop
  private let folder: String
  private let onChange: (_ user: String?) -> Void
  private let inotify: Inotify
  private var token: WatchToken?
  /// The user each watched folder belongs to; `nil` for the top and its parent.
  private var users: [Int32: String?] = [:]

  /// - Parameter onChange: the user whose prints changed, or `nil` for any of them: the top itself
  ///   changed, or events were lost.
  /// - Throws: when the kernel gives no watch.
  public init(
    loop: any EventLoop, folder: String, onChange: @escaping (_ user: String?) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.folder = folder
    self.onChange = onChange
    inotify = try Inotify()
    token = loop.watch(inotify.fileDescriptor, for: .input) { [weak self] _ in self?.handle() }
    try watchTop()
  }

  deinit {
    if let token { loop.unwatch(token) }
  }

  /// The parent too, since fprintd makes the top when it first keeps a print.
  private func watchTop() throws(SystemError) {
    let parent = folder.split(separator: "/").dropLast().joined(separator: "/")
    users[try inotify.watchFolder("/" + parent)] = .some(nil)
    guard let watch = try? inotify.watchFolder(folder) else { return }
    users[watch] = .some(nil)
    for name in names(folder) { watchTree("\(folder)/\(name)", user: name, depth: 0) }
  }

  private func watchTree(_ path: String, user: String, depth: Int) {
    guard depth < 8, users.count < Self.folderLimit,
      let watch = try? inotify.watchFolder(path)
    else { return }
    users[watch] = user
    for name in names(path) { watchTree("\(path)/\(name)", user: user, depth: depth + 1) }
  }

  private func names(_ path: String) -> [String] {
    guard let names = try? FolderHandle(path: path).names() else { return [] }
    // fprintd's names are ASCII; another one is seen by the event of its parent.
    return names.compactMap { String(validating: $0, as: UTF8.self) }
  }

  private func handle() {
    var changed: Set<String> = []
    var isUnknown = false
    for event in inotify.read() {
      if event.isOverflow {
        isUnknown = true
      } else if event.isGone {
        users[event.watch] = nil
      } else if let user = users[event.watch] {
        if let user { changed.insert(user) } else { isUnknown = isUnknown || concerns(event) }
      }
    }
    // New folders are watched before anyone looks, so what comes after the look is seen.
    if isUnknown {
      try? watchTop()
      onChange(nil)
    } else {
      for user in changed {
        watchTree("\(folder)/\(user)", user: user, depth: 0)
        onChange(user)
      }
    }
  }

  /// The parent holds much that is not ours.
  private func concerns(_ event: Inotify.Event) -> Bool {
    guard let top = try? inotify.watchFolder(folder), event.watch != top else { return true }
    return event.name == Array((folder.split(separator: "/").last ?? "").utf8)
  }
}
