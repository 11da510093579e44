import Vault
import Wire

/// Items in the store outside: their sealed forms come from the client, before anybody is asked.
extension RequestRunner {
  func fetch(_ request: RunningRequest, _ forms: [SealedForm]) {
    // The items may have been written meanwhile, and others are wanted now.
    request.fetch?.end()
    request.fetch = FormFetch(forms, for: request.connection) { [weak self, weak request] in
      guard let self, let request else { return }
      fail(request, Failure(.timedOut, detail: Array("the user's keyring".utf8)))
    }
    request.connection.send(.fetch(forms), flushing: true)
  }

  func take(_ request: RunningRequest, _ part: FormPart) {
    guard let fetch = request.fetch else { return fail(request, Failure(.protocolViolation)) }
    if let failure = fetch.take(part) { return fail(request, failure) }
    if let forms = fetch.takeAll() { resume(request, .forms(forms)) }
  }
}
