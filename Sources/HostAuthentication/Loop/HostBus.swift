import Linux
import Systemd

/// The system bus on the event loop: connects, joins the loop, and connects again when lost.
public final class HostBus {
  public typealias Completion = (Result<BusMessage, BusError>) -> Void

  private static let retry: UInt64 = 1000
  /// Calls that wait for their answers at a time. The bus takes 128 of one connection and answers
  /// the next with an error, to whichever user's request it belongs.
  private static let callLimit = 96

  private let loop: any EventLoop
  private let address: String
  private var bus: Bus?
  private var watch: (token: WatchToken, events: Int16, descriptor: Int32)?
  private var timer: TimerToken?
  private var listeners: [(HostBus) -> Void] = []
  private var mourners: [() -> Void] = []
  private var pending: [UInt64: (slot: BusSlot, completion: Completion)] = [:]
  /// Calls that are made when others are answered.
  private var waiting: [() -> Void] = []
  private var lastID: UInt64 = 0

  /// - Parameter address: a D-Bus server address, for example
  ///   `unix:path=/run/dbus/system_bus_socket`. The environment is not asked.
  public init(loop: any EventLoop, address: String) {
    self.loop = loop
    self.address = address
    connect()
  }

  /// Runs `body` now if connected, and at each later connection: match rules are made anew there.
  public func onConnect(_ body: @escaping (HostBus) -> Void) {
    listeners.append(body)
    if bus != nil { body(self) }
  }

  /// Runs `body` each time the connection is lost: what its signals told may no longer hold.
  public func onDisconnect(_ body: @escaping () -> Void) { mourners.append(body) }

  /// Calls a method. The completion runs exactly once, never inside this call.
  /// - Parameter limit: milliseconds from when it is made.
  public func call(
    _ destination: String, path: String, interface: String, member: String,
    _ arguments: [BusValue] = [], limit: UInt64,
    completion: @escaping Completion
  ) {
    guard pending.count < Self.callLimit else {
      waiting.append { [weak self] in
        self?.call(
          destination, path: path, interface: interface, member: member, arguments, limit: limit,
          completion: completion)
      }
      return
    }
    lastID += 1
    let id = lastID
    do throws(BusError) {
      guard let bus else { throw .disconnected }
      let slot = try bus.call(
        destination, path: path, interface: interface, member: member, arguments, limit: limit
      ) { [weak self] result in self?.complete(id, result) }
      pending[id] = (slot, completion)
    } catch {
      loop.after(milliseconds: 0) { completion(.failure(error)) }
    }
  }

  private func complete(_ id: UInt64, _ result: Result<BusMessage, BusError>) {
    guard let call = pending.removeValue(forKey: id) else { return }
    // The slot is being served, so it outlives this turn.
    loop.after(milliseconds: 0) { withExtendedLifetime(call.slot) {} }
    // Those that fail at once leave nothing to wait for.
    while pending.count < Self.callLimit, !waiting.isEmpty { waiting.removeFirst()() }
    call.completion(result)
  }

  /// Adds a match rule to the present connection; `nil` when there is none.
  public func subscribe(_ rule: String, _ handler: @escaping (BusMessage) -> Void) -> BusSlot? {
    try? bus?.subscribe(rule, handler)
  }

  /// All properties of one interface of one object.
  public func properties(
    _ destination: String, path: String, interface: String, limit: UInt64,
    completion: @escaping (Result<[String: BusValue], BusError>) -> Void
  ) {
    call(
      destination, path: path, interface: "org.freedesktop.DBus.Properties", member: "GetAll",
      [.string(interface)], limit: limit
    ) { result in
      completion(
        result.flatMap { reply in
          guard let properties = reply.body.first?.dictionary else { return .failure(.malformed) }
          return .success(properties)
        })
    }
  }

  /// The unique name behind `name`; `nil` in the answer means nobody owns it.
  public func nameOwner(
    of name: String, limit: UInt64, completion: @escaping (Result<String?, BusError>) -> Void
  ) {
    call(
      "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "GetNameOwner", [.string(name)], limit: limit
    ) { result in
      switch result {
      case .success(let reply): completion(.success(reply.body.first?.text))
      case .failure(.remote("org.freedesktop.DBus.Error.NameHasNoOwner", _)):
        completion(.success(nil))
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  /// Each change of owner of `name`, on the present connection.
  public func watchOwner(of name: String, _ handler: @escaping (String?) -> Void) -> BusSlot? {
    try? bus?.watchOwner(of: name, handler)
  }

  private func connect() {
    do throws(BusError) {
      let bus = try Bus(address: address)
      self.bus = bus
      bus.afterActivity = { [weak self] in self?.refresh() }
      bus.onDisconnect = { [weak self] in
        // Not inside the bus's own call.
        self?.loop.after(milliseconds: 0) { self?.lose() }
      }
      refresh()
      for listener in listeners { listener(self) }
    } catch {
      loop.after(milliseconds: Self.retry) { [weak self] in self?.connect() }
    }
  }

  private func lose() {
    if let watch { loop.unwatch(watch.token) }
    if let timer { loop.cancel(timer) }
    watch = nil
    timer = nil
    bus = nil
    for id in pending.keys { complete(id, .failure(.disconnected)) }
    for mourner in mourners { mourner() }
    loop.after(milliseconds: Self.retry) { [weak self] in self?.connect() }
  }

  private func refresh() {
    guard let bus, bus.isConnected else { return }
    let events = bus.events
    let descriptor = bus.fileDescriptor
    if watch?.events != events || watch?.descriptor != descriptor {
      if let watch { loop.unwatch(watch.token) }
      var readiness: LoopReadiness = [.hangUp]
      if events & 1 != 0 { readiness.insert(.input) }
      if events & 4 != 0 { readiness.insert(.output) }
      let token = loop.watch(descriptor, for: readiness) { [weak self] _ in
        self?.bus?.process()
      }
      watch = (token, events, descriptor)
    }
    if let timer { loop.cancel(timer) }
    timer = bus.delay.map { delay in
      loop.after(milliseconds: delay) { [weak self] in
        self?.timer = nil
        self?.bus?.process()
      }
    }
  }
}
