// The targets and dependencies that `Package.swift` declares, parsed from its text.
import Testing

struct Manifest: Sendable {
  enum Kind: String { case systemLibrary, target, executableTarget, testTarget }

  struct Target: Sendable {
    let kind: Kind
    let name: String
    let dependencies: Set<String>
    let folder: String
  }

  let targets: [Target]

  init(_ text: String) {
    let declaration =
      #/
      \.(systemLibrary|target|executableTarget|testTarget)\(
      \s*name:\s*"(\w+)"
      (?:,\s*dependencies:\s*\[([^\]]*)\])?
      (?:,\s*path:\s*"([^"]+)")?
      /#
    targets = text.matches(of: declaration).map { match in
      let kind = Kind(rawValue: String(match.1))!
      let folder = match.4.map(String.init) ?? "\(kind == .testTarget ? "Tests" : "Sources")/\(match.2)"
      let dependencies = (match.3 ?? "").matches(of: /"(\w+)"/).map { String($0.1) }
      return Target(
        kind: kind, name: String(match.2), dependencies: Set(dependencies), folder: folder)
    }
  }

  var names: Set<String> { Set(targets.map(\.name)) }
  var systemLibraries: [Target] { targets.filter { $0.kind == .systemLibrary } }
  /// What clients build: libraries and commands.
  var modules: [Target] { targets.filter { $0.kind == .target || $0.kind == .executableTarget } }
}

@Test func `a manifest's targets are read with their dependencies and directories`() {
  let manifest = Manifest(
    """
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb"),
    .target(
      name: "Tables", dependencies: ["LMDB", "Digests"], swiftSettings: settings),
    .executableTarget(name: "verbatim", dependencies: ["Tables"], path: "Tools/verbatim"),
    .testTarget(name: "TidyTests"),
    """)
  #expect(manifest.targets.map(\.name) == ["CLMDB", "Tables", "verbatim", "TidyTests"])
  #expect(manifest.targets.map(\.dependencies) == [[], ["LMDB", "Digests"], ["Tables"], []])
  #expect(
    manifest.targets.map(\.folder) == [
      "Sources/CLMDB", "Sources/Tables", "Tools/verbatim", "Tests/TidyTests",
    ])
}
