extension Bus {
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
}
