// Threat: code on a page that a reader pastes into main.swift and that does not compile, or does not do what the page
// says.
import ChildProcess
import Dispatch
import Foundation
import Locks
import Testing
import TestThreads

@Suite(.waitsForProcesses) struct PageTests {
  @Test func `the code on each page compiles, runs and prints the output on the page`() async throws {
    let pages = try Pages()
    let programs = try pages.programs()
    #expect(programs.contains("FrontPage") && programs.contains("GettingStarted"))
    let waiting = Waiting(programs)
    // Two at a time, on threads of their own: a blocked thread of the task executor would hold up other tests.
    let defects = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<2 {
        group.addTask {
          try await offExecutor {
            var defects: [String] = []
            while let program = waiting.next() {
              if let defect = try pages.defect(of: program) { defects.append(defect) }
            }
            return defects
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    for defect in defects { Issue.record("\(defect)") }
  }
}

/// The programs that no thread has taken yet.
private final class Waiting: Sendable {
  private let programs: Locked<[String]>

  init(_ programs: [String]) { self.programs = Locked(programs) }

  func next() -> String? { programs.withLock { $0.popLast() } }
}

private func offExecutor<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
  }
}

/// The programs of the pages, in a directory that is removed with this object, and the library that they link.
private final class Pages: Sendable {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    .standardizedFileURL.path
  private let directory: String
  private let flags: [String]

  /// Writes the programs and links all modules of the package into one library.
  init() throws {
    directory = FileManager.default.temporaryDirectory.path + "/verbatim-pages-\(UInt64.random(in: 0 ... .max))"
    let built = URL(filePath: Child.path(ofWorker: "Modules")).deletingLastPathComponent().path
    let folders = try FileManager.default.subpathsOfDirectory(atPath: Self.package + "/Sources")
    let maps = folders.filter { $0.hasSuffix("/module.modulemap") }
    // As the modules were built by `Tools/check --sanitize`.
    let sanitizer = ProcessInfo.processInfo.environment["VERBATIM_SANITIZER"].map { ["-sanitize=" + $0] } ?? []
    #if os(Linux)
      let platform = sanitizer + ["-use-ld=lld"]
    #else
      let platform = sanitizer + ["-L/opt/homebrew/lib", "-Xcc", "-I/opt/homebrew/include"]
    #endif
    let library = directory + "/libpages.so"
    flags =
      ["-I", built + "/Modules", library, "-module-cache-path", directory + "/modules", "-swift-version", "6"]
      + platform
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=\(Self.package)/Sources/\($0)"] }
    try Self.run([Self.package + "/Tools/pages", "--extract", directory + "/programs"])
    let modules = Set(folders.filter { $0.split(separator: "/").count == 2 }.map { $0.split(separator: "/")[1] })
    let linked = built + "/VerbatimPackageTests.product/Objects.LinkFileList"
    let objects = try String(contentsOfFile: linked, encoding: .utf8).split(separator: "\n").filter { path in
      path.split(separator: "/").contains { $0.hasSuffix(".build") && modules.contains($0.dropLast(6)) }
    }
    try objects.joined(separator: "\n").write(toFile: directory + "/objects", atomically: false, encoding: .utf8)
    try Self.run(
      ["swiftc", "-emit-library", "-o", library, "@\(directory)/objects", "-llmdb", "-lsodium", "-lxxhash"] + platform)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// Returns the names of the programs.
  func programs() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory + "/programs").sorted()
  }

  /// Compiles and runs a program in a directory of its own; returns a description of the first defect.
  func defect(of program: String) throws -> String? {
    let place = directory + "/programs/" + program
    do {
      try Self.run(["swiftc", "-Onone", place + "/main.swift", "-o", place + "/program"] + flags)
      // A program with a file `again` is run twice in the same directory.
      for file in ["/output", "/again"] {
        guard let output = try? String(contentsOfFile: place + file, encoding: .utf8) else { continue }
        let printed = try Self.run([place + "/program"], environment: ["TMPDIR": place + "/"])
        if output.isEmpty || output == printed { continue }
        return "\(program): the page shows\n\(output)and the program prints\n\(printed)"
      }
      return nil
    } catch let failure as ProgramFailure {
      return "\(program): \(failure.output)"
    }
  }

  /// Runs a program and returns its output.
  @discardableResult
  private static func run(_ arguments: [String], environment: [String: String?] = [:]) throws -> String {
    let child = try Child(["/bin/sh", "-c", "exec \"$0\" \"$@\" 2>&1"] + arguments, environment: environment)
    child.closeInput()
    let output = try child.lines().map { $0 + "\n" }.joined() + child.rest
    guard child.wait() == .exit(0) else { throw ProgramFailure(output: output) }
    return output
  }
}

private struct ProgramFailure: Error {
  let output: String
}
