import WhorlClient
import Wire

extension Command {
  static let loginKeyring = Command(
    name: "login-keyring", synopsis: "enable|disable|status",
    summary: "let a touch at the login open your keyring as the password does",
    text: """
      Enabled, the service keeps your login password, sealed to the fingerprints enrolled now, and \
      gives it to a login that you opened by touch, for the keyring that the desktop unlocks with \
      it. What you trade for that: whoever can make the reader take a finger for yours then opens \
      the keyring too, not only the session, and the password lies, sealed, on this machine.

      It is kept from your next login by password, and again after your fingerprints changed. The \
      administrator must have added pam_whorl.so to the login, see pam_whorl(8).

      To enable it takes your password; disable and status never ask.
      """,
    options: [.noInteraction],
    words: ["enable", "disable", "status"], isAboutItems: false
  ) { arguments throws(CommandError) in
    let words = arguments.names.map {
      String(decoding: $0, as: UTF8.self)
    }
    guard words.count == 1, let action = LoginKeyringText.actions[words[0]] else {
      throw CommandError(
        usage: "say one of enable, disable and status", arguments.command.usage)
    }
    if action == .enable { try Output.print(LoginKeyringText.trade) }
    let keychain = Client.keychain(arguments)
    let options = try Client.options(arguments)
    let state = try attempt { () throws(KeychainError) in
      try keychain.loginKeyring(action, options: options)
    }
    try Output.print(LoginKeyringText.state(state))
    return 0
  }
}

enum LoginKeyringText {
  static let actions: [String: Wire.LoginKeyring.Action] = [
    "enable": .enable, "disable": .disable, "status": .status,
  ]

  static let trade = """
    Once on, a touch at the login opens your keyring as well: who can pass for your finger gets both.
    Your login password is kept on this machine, sealed to the fingerprints enrolled then.
    """

  static func state(_ state: Wire.LoginKeyring) -> String {
    switch state {
    case .off: "off: a touch leaves the keyring locked"
    case .waiting: "on, and waiting for your next login by password"
    case .ready: "on: a touch at the login opens the keyring"
    case .ended:
      "on, but your fingerprints or your password changed: waiting for your next login by password"
    }
  }
}
