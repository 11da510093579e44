/// The PAM services a worker will run, and no other: their file names.
public enum WorkerService: String, Sendable, CaseIterable {
  case biometry = "whorl-biometry"
  case passcode = "whorl-passcode"
}
