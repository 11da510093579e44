import Linux

/// Tells changes anywhere below fprintd's folder, as they happen.
///
/// It is a wake-up call, not the truth: whoever hears it reads the folder again.
public final class PrintWatch {
  private static let folderLimit = 8192
  /// Folders of one user. A tree with more names than this is no set of prints to those who read it.
  private static let userLimit = 256
  private static let depthLimit = 8
  /// Enough for the longest queue that the kernel keeps by default.
  private static let readLimit = 64

  private struct Watched {
    /// `nil` for the top and its parent.
    let user: String?
    let path: String
    let depth: Int
  }

  private let loop: any EventLoop
  private let folder: String
  private let onChange: (_ user: String?) -> Void
  private let inotify: Inotify
  private var token: WatchToken?
  private var folders: [Int32: Watched] = [:]
  private var counts: [String: Int] = [:]

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
    let parent = "/" + folder.split(separator: "/").dropLast().joined(separator: "/")
    add(try inotify.watchFolder(parent), Watched(user: nil, path: parent, depth: 0))
    guard let watch = try? inotify.watchFolder(folder) else { return }
    add(watch, Watched(user: nil, path: folder, depth: 0))
    for name in names(folder) {
      watchTree(Watched(user: name, path: "\(folder)/\(name)", depth: 0))
    }
  }

  private func watchTree(_ watched: Watched) {
    guard watched.depth < Self.depthLimit, folders.count < Self.folderLimit,
      counts[watched.user ?? "", default: 0] < Self.userLimit,
      let watch = try? inotify.watchFolder(watched.path)
    else { return }
    add(watch, watched)
    for name in names(watched.path) { watchTree(below(watched, name)) }
  }

  private func below(_ watched: Watched, _ name: String) -> Watched {
    Watched(user: watched.user, path: "\(watched.path)/\(name)", depth: watched.depth + 1)
  }

  /// The same folder gives the same number, also under another name.
  private func add(_ watch: Int32, _ watched: Watched) {
    forget(watch)
    folders[watch] = watched
    if let user = watched.user { counts[user, default: 0] += 1 }
  }

  private func forget(_ watch: Int32) {
    guard let user = folders.removeValue(forKey: watch)?.user else { return }
    let rest = counts[user, default: 0] - 1
    counts[user] = rest > 0 ? rest : nil
  }

  private func names(_ path: String) -> [String] {
    guard let names = try? FolderHandle(path: path).names(limit: Self.folderLimit) else {
      return []
    }
    // fprintd's names are ASCII; another one is seen by the event of its parent.
    return names.compactMap { String(validating: $0, as: UTF8.self) }
  }

  private func handle() {
    var changed: Set<String> = []
    var isUnknown = false
    for event in events(&isUnknown) {
      if event.isOverflow {
        isUnknown = true
      } else if event.isGone {
        forget(event.watch)
      } else if let watched = folders[event.watch] {
        if let user = watched.user {
          changed.insert(user)
          // Watched before anyone looks, so what comes after the look is seen.
          if event.isNewFolder, let name = String(validating: event.name, as: UTF8.self) {
            watchTree(below(watched, name))
          }
        } else {
          isUnknown = isUnknown || concerns(event)
        }
      }
    }
    if isUnknown {
      try? watchTop()
      onChange(nil)
    } else {
      for user in changed { onChange(user) }
    }
  }

  /// All that is told so far: a match that came after a change must not be served before it. What
  /// does not end is taken for lost.
  private func events(_ isUnknown: inout Bool) -> [Inotify.Event] {
    var events: [Inotify.Event] = []
    for _ in 0..<Self.readLimit {
      let more = inotify.read()
      if more.isEmpty { return events }
      events += more
    }
    isUnknown = true
    return events
  }

  /// The parent holds much that is not ours.
  private func concerns(_ event: Inotify.Event) -> Bool {
    guard let top = try? inotify.watchFolder(folder), event.watch != top else { return true }
    return event.name == Array((folder.split(separator: "/").last ?? "").utf8)
  }
}
