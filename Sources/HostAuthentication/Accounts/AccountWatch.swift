import Linux

/// Tells when a database of accounts may have changed. A wake-up call, not the truth: whoever hears
/// it asks again.
public final class AccountWatch {
  /// Milliseconds within which several changes are one: a database is replaced in steps.
  private static let quiet: UInt64 = 100

  private let loop: any EventLoop
  private let onChange: () -> Void
  private let inotify: Inotify
  private let name: [UInt8]
  private var token: WatchToken?
  private var timer: TimerToken?

  /// - Parameter file: the database, which is replaced by a file of its name.
  /// - Throws: when the kernel gives no watch.
  public init(
    loop: any EventLoop, file: String, onChange: @escaping () -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.onChange = onChange
    let parts = file.split(separator: "/")
    name = Array((parts.last ?? "").utf8)
    inotify = try Inotify()
    _ = try inotify.watchFolder("/" + parts.dropLast().joined(separator: "/"))
    token = loop.watch(inotify.fileDescriptor, for: .input) { [weak self] _ in self?.handle() }
  }

  deinit {
    if let token { loop.unwatch(token) }
    if let timer { loop.cancel(timer) }
  }

  private func handle() {
    guard inotify.read().contains(where: { $0.isOverflow || $0.name == name }), timer == nil else {
      return
    }
    timer = loop.after(milliseconds: Self.quiet) { [weak self] in
      self?.timer = nil
      self?.onChange()
    }
  }
}
