// The environment of an open log.
internal import LMDB

/// An environment that is open as long as something refers to it.
internal final class OpenEnvironment: Sendable {
  let environment: Environment

  init(_ environment: consuming Environment) { self.environment = environment }
}
