import Foundation

/// The state of what can authenticate here, to compare with one that was kept.
public final class LADomainState: Sendable {
  public let biometry: LADomainStateBiometry
  public let companion = LADomainStateCompanion()
  /// nil when nothing is enrolled.
  public var stateHash: Data? { biometry.stateHash }

  init(biometryType: LABiometryType, hash: Data?) {
    biometry = LADomainStateBiometry(biometryType: biometryType, stateHash: hash)
  }
}

public final class LADomainStateBiometry: Sendable {
  public let biometryType: LABiometryType
  /// Stands for the enrolled prints; nil when there are none.
  public let stateHash: Data?

  init(biometryType: LABiometryType, stateHash: Data?) {
    self.biometryType = biometryType
    self.stateHash = stateHash
  }
}

/// Companion devices: there are none on Linux.
public final class LADomainStateCompanion: Sendable {
  public let availableCompanionTypes: Set<Int> = []
  public let stateHash: Data? = nil

  public func stateHash(for type: LACompanionType) -> Data? { nil }
}

public enum LACompanionType: Int, Sendable {
  case watch = 1
  case mac = 2
  case vision = 4
}
