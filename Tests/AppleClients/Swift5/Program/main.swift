import Foundation
import LocalAuthentication

#if SWIFT6_SHAPES
  import AppleDataAccounts6
  import AppleGated6
  import AppleRights6
  import AppleTokens6
  import AppleWrapper6
#else
  import AppleDataAccounts5
  import AppleGated5
  import AppleRights5
  import AppleTokens5
  import AppleWrapper5
#endif

// Runs one of the shapes, and prints what it found.
let arguments = CommandLine.arguments.dropFirst()
let account = arguments.dropFirst().first ?? ""
switch arguments.first {
case "wrapper": print(runWrapper().joined(separator: "\n"))
case "data-accounts": print(runDataAccounts().joined(separator: "\n"))
case "tokens": print(await runTokens().joined(separator: "\n"))
case "authenticate": print(await authenticate())
case "can-evaluate": print(canEvaluate(.deviceOwnerAuthenticationWithBiometrics))
case "store-presence": print(storeGated(account, .userPresence))
case "store-current-set": print(storeGated(account, .biometryCurrentSet))
case "read-all": print(readAllGated())
case "save": print(saveGated(account, "new"))
case "wipe": print(wipe())
case "read": print(readGated(account, prompt: "to show it"))
case "evaluate-and-read": print(evaluateAndRead(account))
case "save-right": print(await saveRight(account, strict: false))
case "save-strict-right": print(await saveRight(account, strict: true))
case "open-right": print(await openRight(account))
case "sign-with-right": print(await signWithRight(account))
case "remove-right":
  print(
    await withCheckedContinuation { done in removeRight(account) { done.resume(returning: $0) } })
case "remove": print(removeGated())
case "invalidate-in-prompt":
  // A thread blocked in a prompt ends when its context is invalidated by another.
  let context = LAContext()
  Thread.detachNewThread {
    sleep(1)
    context.invalidate()
  }
  print(readGated(account, context))
default: print("unknown shape")
}
