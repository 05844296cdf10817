// Threat: a scenario cannot set its clock.
import Foundation
import Testing

@testable import Scenarios

/// What broke: a scenario that moved its clock by more than a day was refused (“The clock is at …”), since the limits
/// of a machine's clock applied to the clock of the scenario. What fixed it: a scenario's workspace has no clock
/// limits.
@Test func `a scenario moves its clock by years`() async throws {
  let lines = """
    {"scenario":1,"title":"years","users":{"ada":"Ada"},"channels":{"general":["ada"]}}
    {"as":"ada","in":"general","say":"Hello","id":"a"}
    {"clock":"2031-06-12T18:02:00Z"}
    {"as":"ada","in":"general","say":"Still here","id":"b"}
    {"expect":{"messages":["Hello","Still here"]}}
    """
  let played = try await playedAndKept(try Scenario(Data(lines.utf8)))
  #expect(played.report.mismatches.isEmpty, "\(played.report)")
}
