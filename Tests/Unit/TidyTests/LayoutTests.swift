// Tests the location of files, and that each is used: no dead source, script, page or fixture.
import Testing

struct Layout {
  @Test func `the top level contains only allowed entries`() {
    expectNone(strangers(among: SourceTree.paths))
  }

  @Test func `no two paths differ only in capital letters`() {
    expectNone(namesakes(among: SourceTree.paths))
  }

  @Test func `every Swift file belongs to a target`() {
    expectNone(homeless(SourceTree.paths, folders: SourceTree.manifest.targets.map(\.folder)))
  }

  @Test func `every script in Tools is mentioned in the README or called by another`() {
    let scripts = SourceTree.scripts.filter { $0.lies(in: "Tools") }
    let pages = SourceTree.files.filter { $0.path.hasSuffix(".md") }
    expectNone(unusedScripts(scripts, callers: SourceTree.scripts + pages))
  }

  @Test func `every page of a catalog is linked from another, and no heading of topics has its title`() {
    let pages = SourceTree.files.filter { $0.path.hasSuffix(".md") && $0.path.contains(".docc/") }
    for catalog in Dictionary(grouping: pages, by: { $0.path.prefix { $0 != "." } }).values {
      expectNone(unlinkedPages(catalog))
      expectNone(headingsLikePages(catalog))
    }
  }

  @Test func `every fixture is used by a test or a script`() {
    let fixtures = SourceTree.paths.filter { $0.hasPrefix("Fixtures/") }
    let users = SourceTree.swift.filter { $0.lies(in: "Tests") } + SourceTree.scripts
    expectNone(unusedFixtures(fixtures, users: users))
  }
}

// MARK: What is wrong

func strangers(among paths: [String]) -> [String] {
  let known: Set = [
    "Package.swift", "Package.resolved", "Sources", "Tests", "Tools", "Fixtures", "README.md",
  ]
  let entries = Set(paths.map { String($0.prefix { $0 != "/" }) })
  return entries.filter { !known.contains($0) && !$0.hasPrefix(".") }.sorted().map {
    "\($0):1: the top level holds dotfiles and \(known.sorted().joined(separator: ", ")); move it into one"
  }
}

/// Some file systems take such paths for one: a checkout there lacks one of the two.
func namesakes(among paths: [String]) -> [String] {
  var known: [String: String] = [:]
  var found: Set<String> = []
  for path in paths.sorted() {
    let parts = path.split(separator: "/")
    for count in 1...max(parts.count, 1) {
      let prefix = parts.prefix(count).joined(separator: "/")
      let other = known[prefix.lowercased(), default: prefix]
      if other != prefix { found.insert("\(prefix):1: it differs from \(other) only in capital letters; rename one") }
      known[prefix.lowercased()] = other
    }
  }
  return found.sorted()
}

/// Files of a nested package are not checked.
func homeless(_ paths: [String], folders: [String]) -> [String] {
  let nested = paths.filter { $0.hasSuffix("/Package.swift") }.map {
    String($0.dropLast("/Package.swift".count))
  }
  // The test of the pages builds the examples.
  let homes = folders + nested + ["Tools/examples"]
  return paths.filter { path in
    path.hasSuffix(".swift") && path != "Package.swift" && !homes.contains { path.hasPrefix($0 + "/") }
  }.map { "\($0):1: no target in Package.swift builds this file; move it into one or delete it" }
}

func unusedScripts(_ scripts: [SourceFile], callers: [SourceFile]) -> [String] {
  scripts.filter { script in
    !callers.contains { $0.path != script.path && $0.text.contains(script.path) }
  }.map { $0.complaint(0, "nothing calls this script; tell of it in README.md or delete it") }
}

/// The root page of a catalog has the catalog's name and needs no link.
func unlinkedPages(_ catalog: [SourceFile]) -> [String] {
  catalog.filter { page in
    let name = page.path.split(separator: "/").last!.dropLast(".md".count)
    let isRoot = page.path.contains("/\(name).docc/")
    return !isRoot && !catalog.contains { $0.path != page.path && $0.text.contains("<doc:\(name)>") }
  }.map { $0.complaint(0, "no other page of the catalog links here; write <doc:…> in one or delete it") }
}

/// A heading above a list of links that equals the title of a page reads like a link to it.
func headingsLikePages(_ catalog: [SourceFile]) -> [String] {
  let titles = Set(catalog.compactMap { $0.lines.first { $0.hasPrefix("# ") }?.dropFirst(2) })
  return catalog.flatMap { page in
    page.lines.enumerated().compactMap { index, line in
      guard line.hasPrefix("### "), titles.contains(line.dropFirst(4)),
        page.lines[..<index].contains("## Topics")
      else { return nil }
      return page.complaint(index, "“\(line.dropFirst(4))” is the title of a page; give the topics another heading")
    }
  }
}

/// A fixture is used if a test or script contains its path, the path of its directory, or its quoted name.
func unusedFixtures(_ paths: [String], users: [SourceFile]) -> [String] {
  paths.filter { path in
    let parts = path.split(separator: "/")
    let prefixes = (2...max(parts.count, 2)).map { parts.prefix($0).joined(separator: "/") }
    let names = prefixes + ["\"\(parts.last!)\""]
    return !users.contains { user in names.contains { user.has($0) } }
  }.map { "\($0):1: no test and no script names this fixture or its folder; use it or delete it" }
}

// MARK: Each check can fail

struct `Layout violations` {
  @Test func `an unknown entry at the top level is reported`() {
    #expect(strangers(among: ["README.md", "Sources/A/A.swift", ".gitignore", "notes/a.txt"]).count == 1)
  }

  @Test func `paths that differ only in capital letters are reported`() {
    let paths = ["Tools/fuzz", "Tools/Fuzz/Package.swift", "Tools/Fuzz/main.swift", "Tools/test"]
    #expect(namesakes(among: paths).map { $0.prefix(11) } == ["Tools/fuzz:"])
    #expect(namesakes(among: ["Sources/A.swift", "Sources/B.swift"]).isEmpty)
  }

  @Test func `a Swift file outside every target is reported`() {
    let paths = [
      "Sources/A/A.swift", "Sources/B/B.swift", "Tools/Bench/Package.swift", "Tools/Bench/main.swift",
    ]
    #expect(homeless(paths, folders: ["Sources/A"]).map { $0.prefix(17) } == ["Sources/B/B.swift"])
  }

  @Test func `an uncalled script is reported`() {
    let script = SourceFile("Tools/a", "#!/usr/bin/env bash\n# Tools/a helps itself.")
    #expect(unusedScripts([script], callers: [script]).count == 1)
    #expect(unusedScripts([script], callers: [script, SourceFile("README.md", "Run `Tools/a`.")]).isEmpty)
  }

  @Test func `an unlinked page is reported`() {
    let root = SourceFile("Sources/A/A.docc/A.md", "# A")
    let page = SourceFile("Sources/A/A.docc/B.md", "# B, see <doc:B>")
    #expect(unlinkedPages([root, page]).count == 1)
    #expect(unlinkedPages([SourceFile("Sources/A/A.docc/A.md", "See <doc:B>."), page]).isEmpty)
  }

  @Test func `a heading of topics with the title of a page is reported`() {
    let root = SourceFile("Sources/A/A.docc/A.md", "# A\n\n## Topics\n\n### Drafts\n\n- <doc:B>")
    let titled = { (title: String) in SourceFile("Sources/A/A.docc/B.md", "# \(title)") }
    #expect(headingsLikePages([root, titled("Drafts")]).count == 1)
    #expect(headingsLikePages([root, titled("Unsent content")]).isEmpty)
  }

  @Test func `an unused fixture is reported`() {
    let fixture = "Fixtures/events/1.bin"
    #expect(unusedFixtures([fixture], users: [SourceFile("A.swift", "11.bin")]).count == 1)
    #expect(unusedFixtures([fixture], users: [SourceFile("A.swift", "\"1.bin\"")]).isEmpty)
    #expect(unusedFixtures([fixture], users: [SourceFile("A.swift", "Fixtures/events")]).isEmpty)
  }
}
