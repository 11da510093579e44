/// One enrolled print as people see it; nothing of the template.
public struct PrintFacts: Equatable, Sendable {
  /// A day of the Gregorian calendar.
  public struct Day: Equatable, Sendable {
    public let year: Int
    public let month: Int
    public let day: Int

    public init(year: Int, month: Int, day: Int) {
      self.year = year
      self.month = month
      self.day = day
    }
  }

  /// libfprint's number: 1 left thumb … 5 left little, 6 right thumb … 10 right little, 0 unknown.
  public let finger: UInt8
  public let driver: String
  public let device: String
  public let enrolled: Day?
  /// Whether the template lies in the sensor, where no digest of the host's files sees it.
  public let isDeviceStored: Bool
  /// The user name stored with the print; fprintd writes it, nothing checks it.
  public let user: String

  static let lastFinger: UInt8 = 10

  public init(
    finger: UInt8, driver: String, device: String, enrolled: Day?, isDeviceStored: Bool,
    user: String
  ) {
    self.finger = finger
    self.driver = driver
    self.device = device
    self.enrolled = enrolled
    self.isDeviceStored = isDeviceStored
    self.user = user
  }
}
