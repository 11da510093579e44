import Systemd

extension SessionFacts {
  /// From the properties of `org.freedesktop.login1.Session`; a missing one gets its refusing
  /// value.
  init(properties: [String: BusValue]) {
    id = properties["Id"]?.text ?? ""
    uid = UInt32(clamping: properties["User"]?.elements?.first?.unsigned ?? .max)
    sessionClass = properties["Class"]?.text ?? ""
    isActive = properties["Active"]?.bool ?? false
    seat = properties["Seat"]?.elements?.first?.text ?? ""
    isRemote = properties["Remote"]?.bool ?? true
    remoteHost = properties["RemoteHost"]?.text ?? ""
    terminal = properties["TTY"]?.text ?? ""
    state = properties["State"]?.text ?? ""
    lockedHint = properties["LockedHint"]?.bool ?? true
  }

  /// Takes the changes of one PropertiesChanged.
  mutating func apply(_ changes: [String: BusValue]) {
    if let value = changes["Active"]?.bool { isActive = value }
    if let value = changes["State"]?.text { state = value }
    if let value = changes["Class"]?.text { sessionClass = value }
    if let value = changes["Remote"]?.bool { isRemote = value }
    if let value = changes["LockedHint"]?.bool {
      // The desktop that unlocks says so only here.
      if lockedHint, !value { wasLocked = false }
      lockedHint = value
      if value { usesHint = true }
    }
  }
}
