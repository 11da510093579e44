import Testing
import Wire

@testable import Vault

/// The client's side of a store outside.
extension World {
  /// The form that is to be placed, in one piece.
  func form(_ name: String) throws -> (form: SealedForm, bytes: [UInt8]) {
    var form: SealedForm?
    var bytes: [UInt8] = []
    repeat {
      guard
        case .done(let outcome) = begin(.form(item(name), offset: UInt32(bytes.count))),
        case .form(let page) = outcome.reply
      else { throw Failure(.internalError) }
      form = page.form
      bytes += page.bytes
    } while bytes.count < Int(try #require(form).count)
    return (try #require(form), bytes)
  }

  /// Places the form of an item, and says so.
  @discardableResult
  func place(_ name: String) throws -> SealedForm {
    let (form, bytes) = try form(name)
    outside[form] = bytes
    #expect(ask(.placed(item(name), digest: form.digest)) == .done)
    return form
  }
}
