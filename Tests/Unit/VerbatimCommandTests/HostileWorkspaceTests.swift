// Threat: in a workspace directory prepared by an attacker, a command deletes, overwrites or copies files outside it,
// reads without end, or blocks for ever.
import ChildProcess
import Foundation
import Testing
import Verbatim

@testable import VerbatimCommand

/// A workspace with every kind of file, and copies of it to manipulate.
private final class Sample: Sendable {
  let folder = Folder()
  private let made: String
  /// The paths in the workspace, sorted.
  let paths: [String]
  private let directories: Set<String>
  var work: String { folder("work") }
  var outside: String { folder("outside") }

  init() async throws {
    let made = folder("made")
    self.made = made
    _ = verbatim("generate", made, "--messages", "40", "--users", "4", "--channels", "2")
    var configuration = Configuration()
    configuration.checkpointDistance = 100
    _ = verbatim(["rebuild", made], input: [], configuration: configuration)
    _ = verbatim("snapshot", made)
    _ = verbatim("query", "channels", made, "--as", "ada", "--at", "20")
    let workspace = try Workspace.open(at: made)
    _ = try await workspace.blobs.add(Array("a picture".utf8))
    await workspace.close()
    let files = FileManager.default
    let tables = try files.contentsOfDirectory(atPath: made + "/projections").filter { $0.count == 32 }.sorted()
    // Files that exist only temporarily.
    let passing = ["compacting", "compacting/log", "index/beginning", "projections/past", "projections/past/1"]
    let more = passing + ["projections/\(tables[0])/beginning", "projections/snapshots/\(tables[0])/making"]
    let marks = [
      "index/dirty", "index/complete", "projections/\(tables[0])/dirty", "projections/past/gate",
      "projections/past/1/used",
    ]
    let there = try files.subpathsOfDirectory(atPath: made).filter { !$0.contains(tables[1]) }
    directories = Set(more + there.filter { (try? files.contentsOfDirectory(atPath: made + "/" + $0)) != nil })
    paths = Set(there + more + marks).sorted()
  }

  /// Makes a new copy with a trap at a path; returns false where it could not be placed.
  func prepare(_ path: String, _ trap: Trap) throws -> Bool {
    let files = FileManager.default
    for path in [work, outside] { try? files.removeItem(atPath: path) }
    try files.copyItem(atPath: made, toPath: work)
    try files.createDirectory(atPath: outside + "/tables/log", withIntermediateDirectories: true)
    let (place, isDirectory) = (work + "/" + path, directories.contains(path))
    let parent = (place as NSString).deletingLastPathComponent
    try files.createDirectory(atPath: parent, withIntermediateDirectories: true)
    for name in ["letter", "tables/data.mdb", "tables/used", "tables/gate", "tables/holders", "tables/log/data.mdb"] {
      try Data("precious \(name)".utf8).write(to: URL(filePath: outside + "/" + name))
    }
    if trap == .linkToItself {
      guard files.fileExists(atPath: place) else { return false }
      try files.moveItem(atPath: place, toPath: outside + "/moved")
      return symlink(outside + "/moved", place) == 0
    }
    try? files.removeItem(atPath: place)
    switch trap {
    case .link: return symlink(outside + (isDirectory ? "/tables" : "/letter"), place) == 0
    case .linkToZeroes: return symlink("/dev/zero", place) == 0
    case .fifo: return mkfifo(place, 0o600) == 0
    case .otherType: return isDirectory ? files.createFile(atPath: place, contents: nil) : mkdir(place, 0o700) == 0
    case .linkToItself: return false
    }
  }

  /// The types, modes and contents of all files outside.
  var state: [String: [String]] {
    let files = FileManager.default
    var state: [String: [String]] = [:]
    for name in files.subpaths(atPath: outside) ?? [] {
      let facts = try? files.attributesOfItem(atPath: outside + "/" + name)
      let content = files.contents(atPath: outside + "/" + name)
      state[name] =
        [FileAttributeKey.type, .posixPermissions].map { "\(facts?[$0] ?? "none")" }
        + ["\(content?.count ?? -1) \(content.map { $0.reduce(5381) { ($0 << 5) &+ $0 &+ Int($1) } } ?? 0)"]
    }
    return state
  }

  /// Returns whether a copy contains data from outside.
  func hasCopied(_ copy: String) -> Bool {
    (FileManager.default.subpaths(atPath: copy) ?? []).contains { name in
      FileManager.default.contents(atPath: copy + "/" + name)?.range(of: Data("precious".utf8)) != nil
    }
  }
}

/// A replacement of a file or directory.
private enum Trap: CaseIterable {
  /// A link to a file or directory outside.
  case link
  /// A link to the original, which was moved outside: code that follows the link finds valid data.
  case linkToItself
  case linkToZeroes
  case fifo
  /// A directory for a file, or a file for a directory.
  case otherType

  /// The words by which an error names the trap.
  var words: [String] {
    switch self {
    case .link, .linkToItself, .linkToZeroes: ["is a symbolic link"]
    case .fifo: ["is a FIFO"]
    case .otherType: ["is a directory", "is a file", "is not a directory"]
    }
  }
}

/// The commands, with `W` for the workspace, and `N` for a new directory.
private let commands = [
  "status W", "query channels W --as ada --at 20", "replay W", "log verify W", "backup W N", "restore W N",
  "snapshot W", "compact W", "rebuild W",
].map { $0.split(separator: " ").map(String.init) }

/// Further commands, which open no other files.
private let moreCommands = [
  "show W general --as ada", "query channels W --as ada", "events W", "log read W", "log stats W",
  "log salvage W --into N", "log backup W N", "readers W", "snapshot W --check",
].map { $0.split(separator: " ").map(String.init) }

/// Runs a command, which must end; nil if it does not until the deadline.
private func finished(_ command: [String], _ work: String, _ new: String) -> Run? {
  let end = DispatchSemaphore(value: 0)
  // Safe because it is read only after the thread has signalled that it has written.
  nonisolated(unsafe) var run: Run?
  let arguments = command.map { $0 == "W" ? work : $0 == "N" ? new : $0 }
  Thread.detachNewThread {
    run = verbatim(arguments, input: [])
    end.signal()
  }
  return end.wait(timeout: .now() + .seconds(Deadline.seconds)) == .success ? run : nil
}

// Opening once followed links: where `index/beginning` led to another directory, `status` said that all was well, and
// every file in that directory was deleted; `log verify` wrote through `writer-lock` and `lock.mdb`; `backup` copied
// the targets of links in `blobs/`; and a FIFO at `index/dirty` blocked every command for ever. Now no link below a
// workspace is followed, and only regular files are opened.
struct `A workspace with a trap` {
  // Paths in directories that the workspace owns are deleted with those, and block nothing before.
  private static let unnoticed = ["projections/past/1", "projections/past/1/used", "blobs/unfinished"]
  /// One path of each kind, at which all commands are run.
  private static let thorough = [
    "index/beginning", "index/dirty", "index", "log/lock.mdb", "log/data.mdb", "writer-lock", "compacting",
    "projections",
    "projections/past",
  ]

  @Test(arguments: Trap.allCases)
  fileprivate func `a trap changes nothing outside, and each error names the cause`(trap: Trap) async throws {
    let sample = try await Sample()
    var count = 0
    for path in sample.paths where try sample.prepare(path, trap) {
      var isNamed = false
      for command in trap == .link && Self.thorough.contains(path) ? commands + moreCommands : commands {
        // Where nothing is outside, only opening matters.
        if trap != .link, trap != .linkToItself, !["status", "log", "backup"].contains(command[0]) { continue }
        let before = sample.state
        let new = sample.folder("new")
        let what = "\(trap) at \(path): \(command.joined(separator: " "))"
        guard let run = finished(command, sample.work, new) else {
          Issue.record("\(what) does not end")
          return
        }
        count += 1
        #expect(sample.state == before, "\(what)")
        let message = run.errors + run.output
        let namesCause = trap.words.contains { message.contains($0) }
        #expect(
          run.code == .done || run.code == .unable && namesCause || command.last == "--check", "\(what): \(message)")
        isNamed = isNamed || namesCause && message.contains(sample.work + "/" + path)
        #expect(!sample.hasCopied(new), "\(what)")
        try? FileManager.default.removeItem(atPath: new)
      }
      if trap == .link, !Self.unnoticed.contains(path) { #expect(isNamed, "\(trap) at \(path)") }
    }
    #expect(count > 100)
  }

  @Test(.enabled(if: program != nil, "the program was not built"))
  fileprivate func `verify does not follow a link`() async throws {
    let sample = try await Sample()
    for path in ["index/beginning", "log/lock.mdb", "writer-lock", "projections/past/1", "projections/past"] {
      #expect(try sample.prepare(path, .link))
      let before = sample.state
      let run = verbatim("verify", sample.work, executable: program)
      #expect(sample.state == before, "\(path)")
      #expect(run.code == .done || run.code == .unable && run.errors.contains("is a symbolic link"), "\(path): \(run)")
    }
  }
}

struct `A workspace behind a link` {
  @Test func `a workspace is usable through a link`() async throws {
    let sample = try await Sample()
    let (folder, work) = (sample.folder, sample.folder("made"))
    let read = verbatim("log", "read", work).output
    symlink(work, folder("link"))
    symlink(folder.path, folder("parent"))
    for path in [folder("link"), folder("link") + "/", folder("parent/made"), folder("parent/link")] {
      for command in commands + moreCommands {
        let run = try #require(finished(command, path, folder("parent/new")))
        #expect(run.code == .done, "\(command) \(path): \(run.errors)")
        try? FileManager.default.removeItem(atPath: folder("new"))
      }
      #expect(verbatim("log", "read", path).output == read)
    }
    let made = [
      verbatim("init", folder("parent/other")), verbatim("generate", folder("parent/third"), "--messages", "5"),
    ]
    #expect(made.allSatisfy { $0.code == .done })
    #expect(verbatim("status", folder("third")).code == .done)
  }

  @Test(.enabled(if: program != nil, "the program was not built"))
  func `a workspace is found by relative paths`() async throws {
    let sample = try await Sample()
    symlink(sample.folder("made"), sample.folder("link"))
    let script =
      #"cd "$L" && for w in made ./made link ../"${L##*/}"/made; do "$V" status $w > /dev/null || exit 9; done"#
    let run = try shell(script + #"; cd made && "$V" log verify . && "$V" backup . ../saved"#, log: sample.folder.path)
    #expect(run.code == 0, "\(run.output)")
  }
}
