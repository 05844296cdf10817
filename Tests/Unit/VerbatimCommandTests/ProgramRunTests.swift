// Threat: a failure is reported only after programs have run for hours whose output is not read.
import ChildProcess
import Testing
import TestThreads

@testable import VerbatimCommand

@Suite(.waitsForProcesses) struct `Programs that run in parallel` {
  // What broke: a verification against another build whose path was mistyped first folded the whole log in the other
  // programs.
  @Test func `the others are killed where one cannot be started`() throws {
    let long = ProgramRun(executable: "sleep", arguments: ["\(2 * Deadline.seconds)"], name: "sleep")
    let missing = ProgramRun(executable: "/nowhere/verbatim", arguments: [])
    let failure = try blocking("the failure to start a program") { () -> Failure? in
      do throws(Failure) {
        try runAll([long, missing]) { _, outcome throws(Failure) in Issue.record("\(outcome.end)") }
        return nil
      } catch {
        return error
      }
    }
    #expect(failure?.code == .unable)
    #expect(failure?.message?.hasPrefix("The program /nowhere/verbatim cannot be started (") == true)
  }
}
