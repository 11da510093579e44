/// What errors carry, and what ends a program with a message.
extension SwiftJudge {
  mutating func judgeErrors() {
    for call in file.calls {
      switch call.name {
      case "fatalError", "preconditionFailure", "assertionFailure":
        for argument in call.arguments {
          sink(.secretInError, value: argument.value, at: call.chain)
        }
      case "precondition", "assert":
        for argument in call.arguments.dropFirst() {
          sink(.secretInError, value: argument.value, at: call.chain)
        }
      case _ where isError(call):
        for argument in call.arguments { carried(argument, call) }
      default: break
      }
    }
    judgeDescriptions()
    judgeCases()
  }

  private mutating func carried(_ argument: Call.Argument, _ call: Call) {
    sink(.secretInError, value: argument.value, at: call.chain)
    if SecretName.isSecret(argument.label), SecretFlow(self).holdsValue(argument.value) {
      report(.secretInError, at: call.chain, argument.label)
    }
  }

  /// `NSError(…)`, `LoginError.rejected(…)`, `.failure(…)`, and whatever is thrown.
  private func isError(_ call: Call) -> Bool {
    let names = file.chainNames(call)
    if names.contains("Keychain") { return false }
    if names.contains(where: {
      ($0.hasSuffix("Error") || $0.hasSuffix("Exception") || $0.hasSuffix("Failure"))
        && $0.first?.isUppercase == true
    }) {
      return true
    }
    if call.name == "failure" { return file.text(call.chain) == "." || names.first == "Result" }
    return file.text(call.chain - 1) == "throw"
  }

  private static let descriptions: Set = [
    "errorDescription", "failureReason", "recoverySuggestion", "helpAnchor", "localizedDescription",
    "errorUserInfo",
  ]

  /// The texts that an error is shown by.
  private mutating func judgeDescriptions() {
    for block in file.blocks where block.kind == .function {
      let isText =
        Self.descriptions.contains(block.name)
        || (["description", "debugDescription"].contains(block.name)
          && file.type(around: block.open)?.name.hasSuffix("Error") == true)
      guard isText else { continue }
      var place = block.open + 1
      while place < block.close {
        if file.kind(place) == .stringOpen,
          let found = SecretFlow(self, respectsPrivacy: false).literal(place)
        {
          report(.secretInError, at: place, name(found))
        }
        place += 1
      }
    }
  }

  /// `case rejected(token: String)` of an error.
  private mutating func judgeCases() {
    for block in file.blocks where block.keyword == "enum" || block.keyword == "struct" {
      let header = (block.header..<block.open).filter { file.isWord($0) }.map { file.texts[$0] }
      guard
        header.contains("Error") || header.contains("LocalizedError")
          || header.contains("CustomNSError")
      else { continue }
      for index in block.range
      where file.texts[index] == "case" && file.enclosing[index] == block.open {
        for place in index..<file.end(of: index) where file.texts[place] == ":" {
          guard SecretName.isSecret(file.text(place - 1)),
            Self.texts.contains(file.text(place + 1)),
            file.enclosing[place] != block.open
          else { continue }
          report(.secretInError, at: place - 1, file.text(place - 1))
        }
      }
      for list in file.bindings.values {
        for binding in list
        where binding.kind == .property && file.enclosing[binding.index] == block.open {
          guard SecretName.isSecret(binding.name), !binding.isComputed,
            let type = binding.type.first, Self.texts.contains(file.texts[type]),
            !binding.header.contains(where: { file.texts[$0] == "static" })
          else { continue }
          report(.secretInError, at: binding.index, binding.name)
        }
      }
    }
  }

  private static let texts: Set = ["String", "Data", "Substring", "Any"]
}
