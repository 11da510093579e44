/// The attributes that Apple's codes stand for, in words.
enum AttributeName {
  private static let words: [(code: String, word: String)] = [
    ("acct", "account"), ("svce", "service"), ("srvr", "server"), ("sdmn", "securityDomain"),
    ("ptcl", "protocol"), ("atyp", "authenticationType"), ("labl", "label"), ("icmt", "comment"),
    ("desc", "description"), ("gena", "generic"), ("crtr", "creator"), ("invi", "invisible"),
    ("nega", "negative"), ("sync", "synchronizable"), ("kcls", "keyClass"),
    ("klbl", "applicationLabel"), ("atag", "applicationTag"), ("bsiz", "keySizeInBits"),
    ("esiz", "effectiveKeySize"), ("sdat", "startDate"), ("edat", "endDate"),
  ]

  /// The word for a code; other names stand for themselves.
  static func word(_ code: [UInt8]) -> [UInt8] {
    words.first { Array($0.code.utf8) == code }.map { Array($0.word.utf8) } ?? code
  }

  static func word(_ code: String) -> String {
    words.first { $0.code == code }?.word ?? code
  }

  static func code(_ word: [UInt8]) -> [UInt8] {
    words.first { Array($0.word.utf8) == word }.map { Array($0.code.utf8) } ?? word
  }
}
