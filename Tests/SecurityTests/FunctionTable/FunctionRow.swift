import Foundation
import LocalAuthentication
import WhorlKit

/// What a call gives: its status, or the code of its error, and the shape of its result.
struct FunctionAnswer: Equatable {
  var code: Int
  var shape: String

  init(_ code: Int, _ shape: String = "nothing") {
    (self.code, self.shape) = (code, shape)
  }

  init(_ status: OSStatus, _ result: Any?) {
    self.init(Int(status), Self.shape(of: result))
  }

  /// Of a `SecKey…` function.
  init(_ result: Any?, _ error: Unmanaged<CFError>?) {
    self.init(error?.takeRetainedValue().code ?? 0, Self.shape(of: result))
  }

  private static func shape(of value: Any?) -> String {
    switch value {
    case nil: "nothing"
    case is SecKey: "key"
    case is SecAccessControl: "access control"
    case let array as NSArray: "array of \(shape(of: array.firstObject))"
    case is NSDictionary: "dictionary"
    case is NSData: "data"
    case is NSString: "text"
    case let flag as Bool: flag ? "yes" : "no"
    case is any FixedWidthInteger: "number"
    case let value?: "\(type(of: value))"
    }
  }
}

/// One call beside what Apple documents for it.
struct FunctionRow {
  /// The function, as the page for those who port code names it.
  let function: String
  /// What it is called with.
  let call: String
  let apple: FunctionAnswer
  /// What it gives here; nil for the same.
  let here: FunctionAnswer?
  /// The difference that the page lists, by the first words of its line.
  let difference: String?
  let run: (InProcess) async throws -> FunctionAnswer

  init(
    _ function: String, _ call: String, _ apple: FunctionAnswer, here: FunctionAnswer? = nil,
    _ difference: String? = nil, run: @escaping (InProcess) async throws -> FunctionAnswer
  ) {
    self.function = function
    self.call = call
    self.apple = apple
    self.here = here
    self.difference = difference
    self.run = run
  }

  /// The code of the error that `body` throws, else 0 and the shape of its value.
  static func answer(_ body: () async throws -> Any?) async -> FunctionAnswer {
    do { return FunctionAnswer(errSecSuccess, try await body()) } catch {
      return FunctionAnswer((error as Foundation.NSError).code)
    }
  }
}
