/// The ten fingers, with the numbers that fprintd's file names hold.
public enum Finger: Int, CaseIterable, Sendable {
  case leftThumb = 1
  case leftIndex, leftMiddle, leftRing, leftLittle
  case rightThumb, rightIndex, rightMiddle, rightRing, rightLittle

  /// The print's place below the user's folder: driver, device, finger.
  public var path: String { "virtual/0/" + String(rawValue, radix: 16) }
}
