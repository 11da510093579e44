import WhorlClient
import Wire

extension Checks {
  /// Of the user's own keyring, where the settings say that items go there.
  static func keyring() -> [Finding] {
    do throws(KeychainError) {
      guard try UserSettings.own().store == .secretService else { return [] }
    } catch {
      return [
        Finding(
          grade: .broken, message: Advice.fact(error) + ": " + quoted(error.detail),
          remedy: "whorl(1) says what may stand there, under FILES.")
      ]
    }
    do throws(KeyringProblem) {
      // Nobody is asked to unlock it by a check.
      try SecretServiceItemStore().prepare(StoreWait(mayAsk: false))
      return [Finding(grade: .good, message: "your keyring takes sealed items")]
    } catch {
      let remedy = Advice.lines(error, about: nil).joined(separator: " ")
      return [
        Finding(
          grade: error == .locked ? .note : .broken, message: Advice.fact(error),
          remedy: remedy.isEmpty ? "New items go there by your whorl.conf." : remedy)
      ]
    }
  }
}
