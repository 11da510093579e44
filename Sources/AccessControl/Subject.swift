/// Who asks, as the kernel said at accept. Frozen with the request and checked again before
/// anything is released.
public struct Subject: Hashable, Sendable {
  public let user: UInt32
  /// The account's name, which maps back to ``user``. Items belong to both.
  public let name: [UInt8]
  public let process: Int32
  /// The executable, as device and inode; display and record only, no boundary.
  public let executable: Executable?
  /// The login session, if the process is in one and that was asked for.
  public let session: [UInt8]
  /// The controlling terminal's device number; 0 without one.
  public let terminal: UInt64

  /// Equal subjects have equal processes, and there are few subjects to a process.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(process)
  }

  public struct Executable: Hashable, Sendable {
    public let device: UInt64
    public let inode: UInt64
    /// The path as the kernel gives it, unverified.
    public let path: [UInt8]

    public init(device: UInt64, inode: UInt64, path: [UInt8]) {
      self.device = device
      self.inode = inode
      self.path = path
    }
  }

  public init(
    user: UInt32, name: [UInt8], process: Int32, executable: Executable? = nil,
    session: [UInt8] = [], terminal: UInt64 = 0
  ) {
    self.user = user
    self.name = name
    self.process = process
    self.executable = executable
    self.session = session
    self.terminal = terminal
  }
}
