// The reader of scenarios.
import Foundation
import Scenarios

extension Target {
  /// The bytes of a scenario, which is read and not played.
  static let scenarios = Target(
    "scenarios",
    seeds: { fixtures in
      var seeds: [String: [UInt8]] = [:]
      for (name, bytes) in try fixtures.appending(path: "scenarios").files("jsonl") where bytes.count < 4000 {
        seeds[name] = bytes
      }
      return seeds
    },
    check: { input in
      do throws(ScenarioDefect) {
        _ = try Scenario(input)
      } catch {
        require(error.line > 0 && !error.reason.isEmpty, "a defect has no line or no description")
      }
    })
}
