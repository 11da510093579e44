extension Bus {
  /// Asks for the unique name that owns `name` now; `nil` in the answer means nobody does.
  public func nameOwner(
    of name: String, limit: UInt64, completion: @escaping (Result<String?, BusError>) -> Void
  ) throws(BusError) -> BusSlot {
    try call(
      "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "GetNameOwner", [.string(name)], limit: limit
    ) { result in
      switch result {
      case .success(let reply):
        guard let owner = reply.body.first?.text else { return completion(.failure(.malformed)) }
        completion(.success(owner))
      case .failure(.remote("org.freedesktop.DBus.Error.NameHasNoOwner", _)):
        completion(.success(nil))
      case .failure(let error):
        completion(.failure(error))
      }
    }
  }

  /// Has the bus start the service of an activatable name; it succeeds when the name is owned.
  public func startService(
    _ name: String, limit: UInt64, completion: @escaping (Result<Void, BusError>) -> Void
  ) throws(BusError) -> BusSlot {
    try call(
      "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "StartServiceByName", [.string(name), .uint32(0)], limit: limit
    ) { completion($0.map { _ in () }) }
  }

  /// Tells each change of owner of `name`; `nil` means it lost its owner.
  public func watchOwner(
    of name: String, _ handler: @escaping (String?) -> Void
  ) throws(BusError) -> BusSlot {
    try subscribe(
      "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
        + "interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(name)'"
    ) { message in
      // A signal sent to us alone passes any match rule, so the sender is looked at here.
      guard message.sender == "org.freedesktop.DBus",
        message.body.count == 3, message.body[0].text == name,
        let owner = message.body[2].text
      else { return }
      handler(owner.isEmpty ? nil : owner)
    }
  }

  /// Reads all properties of one interface.
  public func properties(
    _ destination: String, path: String, interface: String, limit: UInt64,
    completion: @escaping (Result<[String: BusValue], BusError>) -> Void
  ) throws(BusError) -> BusSlot {
    try call(
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
}
