// A promise that an image breaks.

/// A broken promise, as a sentence.
struct Finding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Throws a finding unless a condition holds.
func require(_ condition: @autoclosure () throws -> Bool, _ text: @autoclosure () -> String) throws {
  if try !condition() { throw Finding(text()) }
}

/// Runs a step; its error is a finding.
func finding<R>(_ step: String, _ body: () async throws -> R) async throws -> R {
  do { return try await body() } catch let error as Finding { throw error } catch {
    throw Finding("\(step): \(error)")
  }
}
