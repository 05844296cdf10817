// Tests the imports of modules. The compiler accepts an import of a dependency's dependency; this test does not.
import Testing

/// The allowed imports of a module: exactly these package modules, and at most these system modules.
struct Allowed {
  let module: String
  let own: Set<String>
  let system: Set<String>

  init(_ module: String, _ own: Set<String>, system: Set<String> = []) {
    (self.module, self.own, self.system) = (module, own, system)
  }
}

private let libc: Set = ["Glibc", "Musl", "Darwin"]

private let table = [
  Allowed("Errors", []),
  Allowed("Locks", [], system: libc.union(["Dispatch"])),
  Allowed("Timestamps", []),
  Allowed("Bindings", []),
  Allowed("Files", ["CFiles"], system: libc),
  Allowed("LMDBPages", ["Digests", "Errors", "Files"], system: libc.union(["Synchronization"])),
  Allowed("LMDB", ["Bytes", "CLMDB", "Errors", "Files", "Locks"], system: libc.union(["Synchronization"])),
  Allowed("Digests", ["CSodium", "CXXHash"]),
  Allowed("Bytes", ["Digests"]),
  Allowed("EventLog", ["Bytes", "Digests", "Locks", "Timestamps"], system: libc.union(["Dispatch"])),
  Allowed(
    "ContentKeys", ["Bytes", "Digests", "EventLog", "Files", "Locks", "Timestamps"], system: libc),
  Allowed("Tables", ["Bytes", "Digests", "Errors", "Files", "LMDB", "LMDBPages", "Locks"], system: ["Dispatch"]),
  Allowed("EventIndex", ["Bytes", "Errors", "EventLog", "Files", "LMDB", "LMDBPages", "Locks", "Tables"]),
  Allowed(
    "EventLogLMDB",
    ["Bytes", "Digests", "Errors", "EventIndex", "EventLog", "Files", "LMDB", "LMDBPages", "Locks", "Tables"],
    system: ["Dispatch"]),
  Allowed(
    "EventLogPostgres",
    ["CPostgres", "Digests", "Errors", "EventIndex", "EventLog", "Files", "Locks"],
    system: libc.union(["Dispatch"])),
  Allowed(
    "Projections", ["Bytes", "Digests", "Errors", "EventLog", "JSONLines", "Locks", "Tables"],
    system: ["Dispatch", "Synchronization"]),
  Allowed("TextFolding", []),
  Allowed("Chat", ["Digests", "Timestamps"]),
  Allowed("ChatComposer", ["Chat", "Errors", "TextFolding", "Locks"], system: ["Observation"]),
  Allowed("ChatMessageList", ["Bindings", "Chat"], system: ["Foundation", "FoundationEssentials"]),
  Allowed("ChatCodec", ["Bytes", "Chat", "EventLog"]),
  Allowed(
    "ChatProjections", ["Bytes", "Chat", "ChatCodec", "Errors", "EventLog", "TextFolding", "Tables", "Projections"]),
  Allowed(
    "ChatRendering", ["Chat", "ChatComposer", "ChatMessageList", "ChatProjections"], system: ["Foundation"]),
  Allowed(
    "TerminalRendering", ["Chat", "ChatComposer", "ChatMessageList", "ChatProjections", "ChatRendering", "Terminal"],
    system: ["Foundation"]),
  Allowed(
    "ChatReplay",
    [
      "Bytes", "Chat", "ChatCodec", "ChatProjections", "Digests", "Errors", "EventLog", "JSONLines", "Locks",
      "Projections", "Tables",
    ], system: ["Dispatch"]),
  Allowed("LogContract", ["ChildProcess", "EventLog"], system: ["Dispatch", "Testing"]),
  Allowed("SwiftUIStandIn", []),
  Allowed("RandomNumbers", []),
  Allowed("SeededRandom", ["RandomNumbers"], system: libc),
  Allowed("ChatSamples", ["Chat", "SeededRandom"]),
  Allowed("ChildProcess", ["Locks"], system: libc.union(["Dispatch", "Foundation"])),
  Allowed("PseudoTerminal", ["ChildProcess"], system: libc.union(["Foundation"])),
  Allowed(
    "PostgresServer", ["ChildProcess", "EventLog", "EventLogPostgres", "Locks"],
    system: libc.union(["Foundation", "Synchronization", "Testing"])),
  Allowed("TestThreads", [], system: ["Dispatch", "Foundation", "Testing"]),
  Allowed("WebClient", [], system: ["Foundation"]),
  Allowed("Browser", ["ChildProcess", "Locks"], system: libc.union(["Dispatch", "Foundation"])),
  Allowed(
    "CrashImages", ["ChildProcess", "Digests", "SeededRandom"], system: libc.union(["Foundation"])),
  Allowed(
    "TortureWorker",
    [
      "ChildProcess", "ContentKeys", "CrashImages", "Digests", "EventLogLMDB", "LMDBPages", "Locks", "SeededRandom",
      "Tables", "Verbatim", "VerbatimUI",
    ], system: libc.union(["Dispatch", "Foundation", "Synchronization"])),
  Allowed(
    "LogWorker", ["ChildProcess", "EventLog", "EventLogLMDB", "LMDB", "SeededRandom"],
    system: libc.union(["Synchronization"])),
  Allowed(
    "ProjectionWorker", ["Bytes", "ChildProcess", "EventLog", "EventLogLMDB", "SeededRandom", "Tables", "Projections"],
    system: libc),
  Allowed(
    "ChatWorker",
    [
      "Chat", "ChatCodec", "ChatSamples", "ChatProjections", "ChildProcess", "EventLog", "EventLogLMDB", "Locks",
      "SeededRandom", "Projections",
    ], system: libc),
  Allowed(
    "WorkspaceWorker", ["ChatCodec", "ChatSamples", "ChildProcess", "Locks", "SeededRandom", "Verbatim", "VerbatimUI"],
    system: libc.union(["Dispatch"])),
  Allowed(
    "Saboteur", ["Bytes", "EventLog", "Tables", "Verbatim", "VerbatimCommand", "Projections"], system: ["Foundation"]),
  Allowed("TerminalWorker", ["Terminal"], system: libc),
  Allowed(
    "Verbatim",
    [
      "Bytes", "Chat", "ChatCodec", "ChatProjections", "ContentKeys", "Digests", "Errors", "EventLog", "EventLogLMDB",
      "EventLogPostgres", "Files", "Locks", "Projections", "Tables", "Timestamps",
    ], system: libc.union(["Dispatch", "Observation"])),
  Allowed(
    "VerbatimUI",
    [
      "Bindings", "Chat", "ChatCodec", "ChatComposer", "ChatMessageList", "ChatProjections", "ChatRendering", "Errors",
      "EventLog", "Locks", "Projections", "Verbatim",
    ], system: ["Observation"]),
  Allowed("VerbatimTesting", ["Chat", "EventLog", "Locks", "Projections", "RandomNumbers", "Tables", "Verbatim"]),
  Allowed("JSONLines", []),
  Allowed("Terminal", ["Locks"], system: libc.union(["Dispatch", "Synchronization"])),
  Allowed("WebServer", ["CMicroHTTPD", "Locks"], system: libc),
  Allowed("Studio", ["Chat", "ChatCodec", "EventLog", "Locks", "WebServer"]),
  Allowed(
    "Scenarios",
    [
      "Chat", "ChatComposer", "ChatMessageList", "ChatRendering", "ChatProjections", "Errors", "EventLog", "JSONLines",
      "Locks", "RandomNumbers", "TerminalRendering", "Verbatim", "VerbatimUI",
    ],
    system: ["Foundation"]),
  Allowed(
    "VerbatimCommand",
    [
      "Chat", "ChatCodec", "ChatComposer", "ChatMessageList", "ChatRendering", "ChatReplay", "ChatProjections",
      "ContentKeys", "Digests", "Errors", "EventLog", "EventLogLMDB", "EventLogPostgres", "Files", "JSONLines", "Locks",
      "Projections",
      "RandomNumbers", "Scenarios", "Studio", "Tables", "Terminal", "TerminalRendering", "Verbatim", "VerbatimUI",
      "WebServer",
    ], system: libc.union(["Dispatch", "Foundation", "Observation", "Synchronization"])),
  Allowed("VerbatimTool", ["VerbatimCommand"]),
  Allowed("scenes", ["VerbatimUI"], system: ["Foundation"]),
]

/// Modules that re-export their imports.
private let reexporting: Set<String> = ["Chat", "EventLog", "Verbatim", "VerbatimTesting", "VerbatimUI"]

struct Imports {
  @Test func `Package.swift declares the dependencies of the table`() {
    expectNone(differences(between: SourceTree.manifest, and: table))
  }

  @Test func `a target imports exactly what it declares`() {
    for target in SourceTree.manifest.targets where target.kind != .systemLibrary {
      let files = SourceTree.swift.filter { $0.lies(in: target.folder) }
      expectNone(undeclaredImports(in: files, of: target, own: SourceTree.manifest.names))
      expectNone(unusedArrows(in: files, of: target))
    }
  }

  @Test func `a module imports only the system modules that the table allows`() {
    for target in SourceTree.manifest.modules {
      let files = SourceTree.swift.filter { $0.lies(in: target.folder) }
      let allowed = table.first { $0.module == target.name }?.system ?? []
      expectNone(foreignImports(in: files, allowed: allowed, own: SourceTree.manifest.names))
    }
  }

  @Test func `each C module is imported by one module and hidden from clients`() {
    for library in SourceTree.manifest.systemLibraries {
      // Tests and fuzzing may use a C library directly to cross-check results.
      let files = SourceTree.swift.filter { !$0.lies(in: "Tests") && !$0.lies(in: "Tools/Fuzzing") }
      expectNone(sharedImports(of: library.name, in: files))
      expectNone(publicImports(of: library.name, in: SourceTree.swift))
    }
  }

  @Test func `only listed modules re-export`() {
    expectNone(reexports(in: SourceTree.swift, except: reexporting))
  }
}

// MARK: What is wrong

func differences(between manifest: Manifest, and table: [Allowed]) -> [String] {
  let drawn = Dictionary(uniqueKeysWithValues: manifest.modules.map { ($0.name, $0.dependencies) })
  let listed = Dictionary(uniqueKeysWithValues: table.map { ($0.module, $0.own) })
  return Set(drawn.keys).union(listed.keys).sorted().compactMap { module in
    guard drawn[module] != listed[module] else { return nil }
    let here = listed[module]?.sorted().description ?? "nothing"
    let there = drawn[module]?.sorted().description ?? "nothing"
    return
      "Package.swift:1: \(module) depends on \(there), ImportTests.swift says \(here); change one"
  }
}

func undeclaredImports(in files: [SourceFile], of target: Manifest.Target, own: Set<String>) -> [String] {
  complaints(in: files) { found in
    guard own.contains(found.module), !target.dependencies.contains(found.module) else { return nil }
    return "\(target.name) does not declare \(found.module) in Package.swift; declare it or do without"
  }
}

func unusedArrows(in files: [SourceFile], of target: Manifest.Target) -> [String] {
  let imported = Set(files.flatMap(imports).map(\.module))
  return target.dependencies.subtracting(imported).sorted().map {
    "Package.swift:1: \(target.name) declares \($0), and no file in \(target.folder) imports it; take it out"
  }
}

func foreignImports(in files: [SourceFile], allowed: Set<String>, own: Set<String>) -> [String] {
  complaints(in: files) { found in
    guard !own.contains(found.module), !allowed.contains(found.module) else { return nil }
    return "\(found.module) is not in this module's row of the table in ImportTests.swift; do without"
  }
}

func sharedImports(of library: String, in files: [SourceFile]) -> [String] {
  let importers = files.filter { file in imports(in: file).contains { $0.module == library } }
  let folders = Set(importers.map { $0.path.split(separator: "/").dropLast().prefix(3).joined(separator: "/") })
  guard folders.count != 1 else { return [] }
  return ["Sources/\(library):1: imported from \(folders.sorted()); exactly one module wraps a C module"]
}

func publicImports(of library: String, in files: [SourceFile]) -> [String] {
  let showing: Set = ["public", "package", "@_exported"]
  return complaints(in: files) { found in
    guard found.module == library, !showing.isDisjoint(with: found.modifiers) else { return nil }
    return "write `internal import \(library)`: nothing above sees a C type"
  }
}

func reexports(in files: [SourceFile], except modules: Set<String>) -> [String] {
  let others = files.filter { file in !modules.contains { file.path.contains("/\($0)/") } }
  return complaints(in: others) { found in
    found.modifiers.contains("@_exported") ? "import \(found.module) without @_exported" : nil
  }
}

// MARK: Reading imports

struct Import {
  let index: Int
  let modifiers: [String]
  let module: String
}

func imports(in file: SourceFile) -> [Import] {
  file.code.enumerated().compactMap { index, line in
    let words = line.split(separator: " ")
    guard let keyword = words.firstIndex(of: "import"), let name = words.last, name != "import" else {
      return nil
    }
    let modifiers = words[..<keyword].map(String.init)
    let access: Set = ["public", "package", "internal", "fileprivate", "private"]
    guard modifiers.allSatisfy({ $0.hasPrefix("@") || access.contains($0) }) else { return nil }
    return Import(index: index, modifiers: modifiers, module: String(name.prefix { $0 != "." }))
  }
}

private func complaints(in files: [SourceFile], _ advice: (Import) -> String?) -> [String] {
  files.flatMap { file in
    imports(in: file).compactMap { found in advice(found).map { file.complaint(found.index, $0) } }
  }
}

// MARK: Each check can fail

struct `Import violations` {
  let tables = Manifest(#".target(name: "Tables", dependencies: ["LMDB"])"#)

  @Test func `imports are read in every form`() {
    let file = SourceFile(
      "A.swift", lines: "import A", "  @testable import B", "public import struct C.D", "// import E",
      "@_exported public import F  // all of it", "let important = 1")
    #expect(imports(in: file).map(\.module) == ["A", "B", "C", "F"])
    #expect(imports(in: file).map(\.index) == [0, 1, 2, 4])
  }

  @Test func `a dependency missing from the table is reported`() {
    #expect(differences(between: tables, and: [Allowed("Tables", [])]).count == 1)
    #expect(differences(between: tables, and: []).count == 1)
    #expect(differences(between: tables, and: [Allowed("Tables", ["LMDB"])]).isEmpty)
  }

  @Test func `an import of a dependency's dependency is reported`() {
    let file = SourceFile("Sources/Tables/A.swift", lines: "import LMDB", "import CLMDB")
    let complaints = undeclaredImports(in: [file], of: tables.targets[0], own: ["LMDB", "CLMDB"])
    #expect(complaints.map { $0.prefix(26) } == ["Sources/Tables/A.swift:2: "])
  }

  @Test func `an unused dependency is reported`() {
    #expect(unusedArrows(in: [SourceFile("A.swift", "import Testing")], of: tables.targets[0]).count == 1)
  }

  @Test func `a system module outside the table is reported`() {
    let file = SourceFile("A.swift", lines: "import Foundation", "import Glibc", "import LMDB")
    #expect(foreignImports(in: [file], allowed: ["Glibc"], own: ["LMDB"]).count == 1)
  }

  @Test func `a C module with two importers, or none, is reported`() {
    let first = SourceFile("Sources/LMDB/A.swift", "internal import CLMDB")
    let second = SourceFile("Sources/Tables/A.swift", "internal import CLMDB")
    #expect(sharedImports(of: "CLMDB", in: [first, second]).count == 1)
    #expect(sharedImports(of: "CLMDB", in: []).count == 1)
    #expect(sharedImports(of: "CLMDB", in: [first]).isEmpty)
  }

  @Test func `a C module visible to clients is reported`() {
    #expect(publicImports(of: "CLMDB", in: [SourceFile("A.swift", "public import CLMDB")]).count == 1)
    #expect(publicImports(of: "CLMDB", in: [SourceFile("A.swift", "internal import CLMDB")]).isEmpty)
  }

  @Test func `a re-export outside the listed modules is reported`() {
    let file = SourceFile("Sources/Chat/A.swift", "@_exported public import EventLog")
    #expect(reexports(in: [file], except: []).count == 1)
    #expect(reexports(in: [file], except: ["Chat"]).isEmpty)
  }
}
