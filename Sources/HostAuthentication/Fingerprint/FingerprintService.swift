import Linux
import Systemd

/// fprintd over D-Bus: says why a finger cannot be asked for. The verdict itself is PAM's.
public final class FingerprintService {
  static let name = "net.reactivated.Fprint"
  static let device = "net.reactivated.Fprint.Device"
  private static let manager = "net.reactivated.Fprint.Manager"

  private let bus: HostBus
  /// Milliseconds for each call.
  private let limit: UInt64
  private var last: (user: String, time: UInt64, owner: String, readers: [FingerprintReader])?

  public init(bus: HostBus, limit: UInt64 = 2000) {
    self.bus = bus
    self.limit = limit
  }

  /// Asks for readers and enrolled fingers of `user`, from one owner of the name only.
  public func diagnose(user: String, completion: @escaping (FingerprintDiagnosis) -> Void) {
    let completion = { [weak self] (diagnosis: FingerprintDiagnosis) in
      self?.keep(diagnosis, user)
      completion(diagnosis)
    }
    owner { [self] result in
      switch result {
      case .success(let owner): readers(of: owner, user: user, completion: completion)
      case .failure(let error): completion(Self.diagnosis(error))
      }
    }
  }

  /// What the last diagnosis found ready for `user`, if that was within `age` milliseconds.
  func ready(user: String, age: UInt64) -> (owner: String, readers: [FingerprintReader])? {
    guard let last, last.user == user, BootClock.milliseconds() - last.time <= age else {
      return nil
    }
    return (last.owner, last.readers)
  }

  private func keep(_ diagnosis: FingerprintDiagnosis, _ user: String) {
    last =
      if case .ready(let owner, let readers) = diagnosis {
        (user, BootClock.milliseconds(), owner, readers)
      } else { nil }
  }

  /// Tries whether the reader can be taken, and gives it back at once. Only for saying why a
  /// verification could not start: it would disturb one that goes on.
  public func probe(
    _ reader: FingerprintReader, owner: String, user: String,
    completion: @escaping (FingerprintDiagnosis) -> Void
  ) {
    bus.call(
      owner, path: reader.path, interface: Self.device, member: "Claim", [.string(user)],
      limit: limit
    ) { [self] result in
      switch result {
      case .success:
        bus.call(
          owner, path: reader.path, interface: Self.device, member: "Release", limit: limit
        ) { _ in completion(.ready(owner: owner, readers: [reader])) }
      case .failure(let error): completion(Self.diagnosis(error))
      }
    }
  }

  /// Whether the name still belongs to the owner of an earlier diagnosis.
  public func isOwned(by owner: String, completion: @escaping (Bool) -> Void) {
    bus.nameOwner(of: Self.name, limit: limit) { completion((try? $0.get()) == owner) }
  }

  /// Tells when the owner of the name changes. The watch ends with the slot.
  func watchOwner(_ handler: @escaping (String?) -> Void) -> BusSlot? {
    bus.watchOwner(of: Self.name, handler)
  }

  /// Follows the verifications on a reader as their own fprintd tells them: true when a finger
  /// matched, false when another finger is waited for or did not. The watch ends with the slot.
  func watchVerification(
    on reader: FingerprintReader, owner: String, _ handler: @escaping (Bool) -> Void
  ) -> BusSlot? {
    bus.subscribe(
      "type='signal',sender='\(owner)',path='\(reader.path)',interface='\(Self.device)'"
    ) { message in
      // A signal sent to us alone passes any match rule, so the sender is looked at here.
      guard message.sender == owner else { return }
      switch message.member {
      case "VerifyFingerSelected": handler(false)
      case "VerifyStatus": handler(message.body.first?.text == "verify-match")
      default: break
      }
    }
  }

  /// The owner's unique name; fprintd leaves when idle, so it is started where need be.
  private func owner(completion: @escaping (Result<String, BusError>) -> Void) {
    bus.nameOwner(of: Self.name, limit: limit) { [self] result in
      switch result {
      case .success(let owner?): completion(.success(owner))
      case .failure(let error): completion(.failure(error))
      case .success(nil):
        bus.call(
          "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
          interface: "org.freedesktop.DBus", member: "StartServiceByName",
          [.string(Self.name), .uint32(0)], limit: limit
        ) { [self] result in
          if case .failure(let error) = result { return completion(.failure(error)) }
          bus.nameOwner(of: Self.name, limit: limit) { result in
            completion(
              result.flatMap { owner in
                owner.map { .success($0) }
                  ?? .failure(.remote(name: "org.freedesktop.DBus.Error.NameHasNoOwner", text: ""))
              })
          }
        }
      }
    }
  }

  private func readers(
    of owner: String, user: String, completion: @escaping (FingerprintDiagnosis) -> Void
  ) {
    bus.call(
      owner, path: "/net/reactivated/Fprint/Manager", interface: Self.manager,
      member: "GetDevices", limit: limit
    ) { [self] result in
      switch result {
      case .failure(let error): completion(Self.diagnosis(error))
      case .success(let reply):
        guard let paths = reply.body.first?.elements?.compactMap(\.text) else {
          return completion(.failed("GetDevices"))
        }
        guard !paths.isEmpty else { return completion(.noReader) }
        // More readers than this is no desk; each costs a call.
        collect(Array(paths.prefix(8)), [], owner: owner, user: user, completion: completion)
      }
    }
  }

  private func collect(
    _ paths: [String], _ found: [FingerprintReader], owner: String, user: String,
    completion: @escaping (FingerprintDiagnosis) -> Void
  ) {
    guard let path = paths.first else {
      let isEnrolled = found.contains { !$0.fingers.isEmpty }
      return completion(
        isEnrolled ? .ready(owner: owner, readers: found) : .notEnrolled(readers: found))
    }
    bus.call(
      owner, path: path, interface: Self.device, member: "ListEnrolledFingers",
      [.string(user)], limit: limit
    ) { [self] result in
      var fingers: [String] = []
      switch result {
      case .success(let reply): fingers = reply.body.first?.elements?.compactMap(\.text) ?? []
      case .failure(.remote(Self.name + ".Error.NoEnrolledPrints", _)): break
      case .failure(let error): return completion(Self.diagnosis(error))
      }
      collect(
        Array(paths.dropFirst()), found + [FingerprintReader(path: path, fingers: fingers)],
        owner: owner, user: user, completion: completion)
    }
  }

  static func diagnosis(_ error: BusError) -> FingerprintDiagnosis {
    switch error {
    case .timedOut: .timedOut
    case .disconnected, .system: .noService
    case .malformed: .failed("malformed answer")
    case .remote(let name, let text):
      switch name {
      case Self.name + ".Error.AlreadyInUse": .busy
      // After a sleep that began in a verification, until fprintd leaves and starts anew.
      case Self.name + ".Error.Internal"
      where text.contains("already been opened") || text.contains("busy with another"):
        .busy
      case Self.name + ".Error.NoSuchDevice", "org.freedesktop.DBus.Error.UnknownObject",
        "org.freedesktop.DBus.Error.UnknownMethod":
        // A reader that is unplugged takes its object with it.
        .noReader
      case Self.name + ".Error.NoEnrolledPrints": .notEnrolled(readers: [])
      case "org.freedesktop.DBus.Error.ServiceUnknown",
        "org.freedesktop.DBus.Error.NameHasNoOwner", "org.freedesktop.DBus.Error.NoReply",
        "org.freedesktop.DBus.Error.Disconnected":
        .noService
      case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn"): .noService
      default: .failed("\(name): \(text)")
      }
    }
  }
}
