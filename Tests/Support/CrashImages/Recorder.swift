// Recording a program: the C library that is preloaded, and the marks of the program.
package import ChildProcess
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The recorder: a library, compiled by the C compiler of the toolchain, that a recorded program loads.
package struct Recorder: Sendable {
  private let library: String

  /// The number of the descriptor to which a recorded program writes its marks.
  package static let marks: CInt = 899

  /// The reason why nothing can be recorded.
  package struct Unavailable: Error, CustomStringConvertible {
    package let description: String
  }

  /// Compiles the library, unless a newer one is in the directory.
  package init(source: String, in directory: String) throws {
    library = directory + "/recorder.so"
    let unfinished = library + ".\(getpid())"
    let compile = try Child(["clang", "-O1", "-Wall", "-shared", "-fPIC", "-o", unfinished, source, "-ldl"])
    guard compile.wait() == .exit(0), rename(unfinished, library) == 0 else {
      throw Unavailable(description: "clang does not compile \(source): install the Swift toolchain's clang.")
    }
  }

  /// Runs a program to its end, and appends its changes below a directory to a trace.
  ///
  /// The program reads `boot` as the identity of the boot of the system. It is killed before the change with the given
  /// number, if there is one. Returns how it ended, and the lines that it printed.
  package func record(
    _ arguments: [String], below directory: String, in trace: String, boot: String, killedBefore change: Int? = nil,
    failing call: FailingCall? = nil
  ) throws -> (ending: Child.Ending, lines: [String]) {
    let child = try Child(
      arguments,
      environment: [
        "LD_PRELOAD": library, "TORTURE_BELOW": directory, "TORTURE_TRACE": trace, "TORTURE_BOOT": boot,
        "TORTURE_MARKS": "\(Self.marks)", "TORTURE_KILL": change.map(String.init), "TORTURE_CALLS": call?.counts,
        "TORTURE_FAIL": call.map { "\($0.number)" }, "TORTURE_ERROR": call?.error,
        "TORTURE_STICKY": call?.isSticky ?? false ? "1" : nil,
      ])
    child.closeInput()
    var lines: [String] = []
    while let line = try child.line() { lines.append(line) }
    return (child.wait(), lines)
  }
}

/// A call of a recorded program that fails.
package struct FailingCall: Sendable {
  fileprivate let number: Int
  fileprivate let error: String
  fileprivate let isSticky: Bool
  fileprivate let counts: String

  /// Creates a failing call: its number from 1, or 0 for none; how it fails, as the library has it; whether all later
  /// ones fail too; and a file for the number of calls and of failed ones, each in eight bytes.
  package init(number: Int, error: String, isSticky: Bool, counts: String) {
    (self.number, self.error, self.isSticky, self.counts) = (number, error, isSticky, counts)
  }
}

/// Writes a mark into the trace of this process, if it is recorded.
package func mark(_ text: String) {
  var text = text
  // Without the recorder, no file is open under this number.
  text.withUTF8 { _ = write(Recorder.marks, $0.baseAddress, $0.count) }
}
