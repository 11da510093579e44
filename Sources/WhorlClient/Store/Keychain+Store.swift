import AccessControl
import Wire

extension Keychain {
  /// Where new items of a program are kept when it does not say so itself.
  public enum DefaultStore: Equatable, Sendable {
    case own, secretService
    /// As the user has settled for all programs; see ``UserSettings``.
    case settled

    func kind() throws(KeychainError) -> StoreKind {
      switch self {
      case .own: .own
      case .secretService: .secretService
      case .settled: try UserSettings.own().store
      }
    }
  }

  /// Fails before anything is stored that could not be placed. May let the person unlock the
  /// store, where a person may be asked at all.
  func prepareStore(
    _ options: RequestOptions, _ context: AuthContext?
  ) throws(KeychainError) {
    do throws(KeyringProblem) { try store.prepare(wait(options, context)) } catch {
      throw KeychainError(keyring: error)
    }
  }

  private func wait(_ options: RequestOptions, _ context: AuthContext?) -> StoreWait {
    StoreWait(
      mayAsk: options.allowsInteraction && context?.interactionNotAllowed != true,
      cancels: (options.cancel.map { [$0.descriptor] } ?? [])
        + (context.map { [$0.cancelEvent.descriptor] } ?? []))
  }

  /// Does what a request left to do in the store outside. The request was done all the same, and
  /// nobody is asked again for it.
  ///
  /// - Returns: why an item could not be placed.
  func settle(
    _ work: StoreWork, _ options: RequestOptions, _ context: AuthContext?
  ) -> KeychainError? {
    guard !work.isEmpty else { return nil }
    var silent = wait(options, context)
    silent.mayAsk = false
    var failed: KeychainError?
    for item in work.unplaced {
      do throws(KeychainError) { try place(item, silent) } catch {
        failed = error
        // What is wrong with one is wrong with all, and each may take its time to say so.
        break
      }
    }
    // What stays behind opens no more, and is named again. A keyring that failed once is left alone:
    // it may take its time to fail again.
    if failed == nil, !work.surplus.isEmpty, !hasLeftForms.withLock({ $0 }) {
      do {
        let gone = try store.discard(ids: work.surplus, silent).filter(work.surplus.contains)
        if !gone.isEmpty {
          try expectDone(
            .discarded(ids: gone), options: RequestOptions(allowsInteraction: false), context: nil)
        }
      } catch { hasLeftForms.withLock { $0 = true } }
    }
    return failed
  }

  private func place(_ item: ItemIdentity, _ wait: StoreWait) throws(KeychainError) {
    let placed = try unplaced(item)
    do throws(KeyringProblem) { try store.place(placed, wait) } catch {
      throw KeychainError(keyring: error)
    }
    try expectDone(
      .placed(item, digest: placed.form.digest), options: RequestOptions(allowsInteraction: false),
      context: nil)
  }

  /// The sealed form of an item that is to be placed, page by page.
  private func unplaced(_ item: ItemIdentity) throws(KeychainError) -> PlacedItem {
    let first = try page(item, 0)
    var bytes = first.bytes
    while bytes.count < first.form.count {
      let next = try page(item, bytes.count)
      // Somebody wrote the item meanwhile, and places it.
      guard next.form == first.form else { throw KeychainError(.changedMeanwhile) }
      guard !next.bytes.isEmpty else { throw KeychainError(.malformed) }
      bytes += next.bytes
    }
    guard bytes.count == first.form.count else { throw KeychainError(.malformed) }
    return PlacedItem(
      identity: item, attributes: first.attributes, form: first.form, bytes: bytes)
  }

  private func page(_ item: ItemIdentity, _ offset: Int) throws(KeychainError) -> FormPage {
    guard case .form(let page) = try reply(.form(item, offset: UInt32(offset))) else {
      throw KeychainError(.malformed)
    }
    return page
  }
}
