// The place of the log in suites that run on a directory and on a server.
import Foundation
package import Testing

extension PostgresServer {
  /// Whether suites that can run on several places have their logs on a server: with VERBATIM_TESTS_ON_POSTGRES=1.
  package static let isChosen = ProcessInfo.processInfo.environment["VERBATIM_TESTS_ON_POSTGRES"] == "1"
}

extension Trait where Self == ConditionTrait {
  /// Skips what is about the files of a directory where logs are on a server, and prints the reason.
  package static func directoryOnly(_ reason: Comment) -> Self { .disabled(if: PostgresServer.isChosen, reason) }
}
