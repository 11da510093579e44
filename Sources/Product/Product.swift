/// What the programs say of the product they are part of.
public enum Product {
  @inlinable public static var version: String { "0.1.0" }
}
