// A promise that an image breaks.

/// A broken promise, as a sentence.
struct Finding: Error, CustomStringConvertible {
  /// What was wrong, which decides whether a disk that does not keep what it reports as synced is excused.
  enum Kind {
    /// Something was read that was never written, or not as it was written.
    case wrong
    /// Something that was acknowledged is not there.
    case lost
    /// The library or a check of it reported an error or damage.
    case reported
  }

  let description: String
  let kind: Kind

  init(_ description: String, _ kind: Kind = .wrong) { (self.description, self.kind) = (description, kind) }
}

/// Throws a finding unless a condition holds.
func require(_ condition: @autoclosure () throws -> Bool, _ text: @autoclosure () -> String) throws {
  if try !condition() { throw Finding(text()) }
}

/// Runs a step; its error is a finding.
func finding<R>(_ step: String, _ body: () async throws -> R) async throws -> R {
  do { return try await body() } catch let error as Finding { throw error } catch {
    throw Finding("\(step): \(error)", .reported)
  }
}
