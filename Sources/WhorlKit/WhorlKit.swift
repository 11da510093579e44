// WhorlClient, and the `async` forms of its calls. They are a target of their own because the
// runtime of Swift's concurrency costs each start of the command line a third of its time.
@_exported import WhorlClient
