/// The configuration as it is now, for parts that are made before a reload.
final class CurrentConfiguration {
  var value: Configuration

  init(_ value: Configuration) { self.value = value }
}
