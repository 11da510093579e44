import AccessControl
import HostAuthentication
import Linux
import SecretMemory
import Vault
import Wire

/// Accepts clients. Who a client is comes from the kernel and the account databases, never from
/// the client.
final class Server {
  /// What a connection takes: its own descriptor and those of ``Peer``.
  private static let descriptorsEach = 3
  /// Descriptors kept for uid 0 when others use up the process's.
  private static let keptForRoot = 64 * descriptorsEach
  private static let acceptedAtOnce = 64
  private static let unseen = Failure(
    .busy, detail: "what this program is cannot be looked at now")
  private static let noRoom = Failure(.busy, detail: "too many connections")

  /// A client that was looked at and has no account yet.
  private struct Arrival {
    let descriptor: OwnedDescriptor
    let peer: Peer
    let program: Peer.Program
    /// ``HostFacts/uptime`` before it was looked at.
    let seen: UInt64
  }

  private let listener: ListeningSocket
  private let shared: ClientConnection.Shared
  private let accounts: AccountDirectory
  private let host: HostFacts
  private let runner: RequestRunner
  private let gatekeeper = Gatekeeper()
  private let descriptorLimit: Int
  private var connections: [UInt64: ClientConnection] = [:]
  private var counts: [UInt32: Int] = [:]
  private var lastID: UInt64 = 0
  private var watch: WatchToken?

  init(
    listener: ListeningSocket, shared: ClientConnection.Shared, accounts: AccountDirectory,
    host: HostFacts, runner: RequestRunner, descriptorLimit: Int
  ) {
    self.listener = listener
    self.shared = shared
    self.accounts = accounts
    self.host = host
    self.runner = runner
    self.descriptorLimit = descriptorLimit
    listen()
  }

  /// No further clients; those that are there go on.
  func stop() {
    if let watch { shared.loop.unwatch(watch) }
    watch = nil
  }

  private func listen() {
    watch = shared.loop.watch(listener.descriptor.raw, for: .input) { [weak self] _ in
      self?.accept()
    }
  }

  private func accept() {
    do throws(SystemError) {
      // Several, so that who waits is not behind as many turns as others have connections.
      for _ in 0..<Self.acceptedAtOnce {
        guard let descriptor = try listener.accept() else { return }
        admit(descriptor)
      }
    } catch {
      // Without descriptors the socket would be ready again at once: rest a little.
      stop()
      shared.loop.after(milliseconds: 100) { [weak self] in self?.listen() }
    }
  }

  private func admit(_ descriptor: OwnedDescriptor) {
    let peer: Peer
    do throws(SystemError) {
      peer = try Peer(of: descriptor)
    } catch {
      if error.lacksDescriptors { refuse(descriptor, Self.noRoom) }
      return
    }
    // Counting comes first, as it is cheap: who has too many costs the others little.
    guard hasRoom(peer.user, descriptor) else { return refuse(descriptor, Self.noRoom) }
    let seen = host.uptime
    guard let program = peer.program() else {
      if peer.isAlive { refuse(descriptor, Self.unseen) }
      return
    }
    if let refusal = gatekeeper.refusal(peer, program) {
      return refuse(descriptor, refusal.failure)
    }
    identify(Arrival(descriptor: descriptor, peer: peer, program: program, seen: seen))
  }

  private func hasRoom(_ user: UInt32, _ descriptor: OwnedDescriptor) -> Bool {
    let own = counts[user, default: 0]
    if user == 0 { return own < descriptorLimit / 2 / Self.descriptorsEach }
    // The kernel gives the lowest free number, so it tells how many are open for whatever reason:
    // stores, records and helpers take some too.
    return own < shared.configuration.connectionsPerUser
      && Int(descriptor.raw) < descriptorLimit - min(Self.keptForRoot, descriptorLimit / 4)
  }

  /// A uid needs a name that maps back to it; nothing is read from the client before.
  private func identify(_ arrival: Arrival) {
    let user = arrival.peer.user
    if let account = accounts.cached(user) { return open(arrival, account) }
    counts[user, default: 0] += 1
    accounts.lookup(user) { [weak self] answer in
      guard let self else { return }
      release(user)
      switch answer {
      case .known(let account): open(arrival, account)
      case .unknown:
        refuse(arrival.descriptor, Failure(.notPermitted, detail: "this user is not served"))
      case .unavailable:
        refuse(
          arrival.descriptor,
          Failure(.unavailable, detail: "whorl-pam-worker does not name users"))
      }
    }
  }

  /// Says why, as far as the fresh socket takes it at once, and closes with the last reference.
  private func refuse(_ descriptor: OwnedDescriptor, _ failure: Failure) {
    _ = StreamSocket(descriptor).send(
      ServerMessage.failed(failure).frame.span, from: 0)
  }

  private func open(_ arrival: Arrival, _ account: Account) {
    let (peer, program) = (arrival.peer, arrival.program)
    // What was read under its number so far was read while it lived, so it is the peer's own.
    guard peer.isAlive else { return }
    let subject = Subject(
      user: peer.user, name: Array(account.name.utf8), process: peer.process,
      executable: Subject.Executable(
        device: program.device, inode: program.inode, path: program.path))
    lastID += 1
    counts[peer.user, default: 0] += 1
    host.add(lastID, peer, account, seen: arrival.seen)
    let connection = ClientConnection(
      id: lastID, subject: subject, peer: peer, descriptor: arrival.descriptor, shared: shared,
      onAction: { [weak self] connection, action in self?.runner.act(connection, action) },
      onClose: { [weak self] connection in self?.closed(connection) })
    connections[lastID] = connection
    connection.start()
  }

  private func closed(_ connection: ClientConnection) {
    connections[connection.id] = nil
    release(connection.subject.user)
    host.remove(connection.id)
    runner.closed(connection)
  }

  private func release(_ user: UInt32) {
    let rest = counts[user, default: 0] - 1
    counts[user] = rest > 0 ? rest : nil
  }
}
