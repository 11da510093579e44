import Wire

extension Vault {
  /// Deletes all that is kept for an owner: items, login secret, keys, generation. Nothing that was
  /// sealed for the owner opens again; what runs meanwhile finds that it changed.
  public func purge(_ owner: Owner) throws(Failure) {
    scopes.end(user: owner.user)
    itemKeys[owner] = nil
    surplusTurns[owner] = nil
    do throws(VaultError) {
      try generations.forget(owner)
      do { try storage.purge(owner) } catch { throw .storage(error) }
    } catch { throw error.failure }
  }
}
