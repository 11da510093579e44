import Wire

extension Exchange {
  /// A step about the store outside: what is asked for is brought at once, the rest is work for
  /// after the request.
  func take(
    _ step: StoreStep, _ call: Call, _ turn: inout PromptTurn, _ work: StoreWork
  ) -> [Frame] {
    switch step {
    case .place(let items): work.unplaced += items
    case .discard(let ids): work.surplus += ids
    case .fetch(let forms):
      let wait = StoreWait(
        mayAsk: call.mayUnlock, cancels: call.cancels.map(\.descriptor))
      do {
        let found = try call.store.fetch(forms, wait)
        guard found.count == forms.count else { return turn.end(KeychainError(keyring: .missing)) }
        for (found, form) in zip(found, forms) where found.count != Int(form.count) {
          // Whatever it is, it is not what was placed: the service would refuse it.
          return turn.end(KeychainError(.notCurrent))
        }
        return found.enumerated().flatMap { index, form in
          FormPart.parts(of: form, index: UInt32(index)).map {
            Frame.message(ClientMessage.form($0).encoded)
          }
        }
      } catch { return turn.end(KeychainError(keyring: error)) }
    }
    return []
  }
}
