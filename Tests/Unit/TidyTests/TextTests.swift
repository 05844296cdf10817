// Tests the text of files: width, openings, marks, unsafe code, traces of a machine.
import Testing

private let widthMax = 120
private let libraryLinesMax = 400

struct Text {
  @Test func `lines fit the maximum width`() {
    expectNone((SourceTree.swift + SourceTree.scripts).flatMap(wideLines))
  }

  @Test func `files contain no marks of unfinished work`() {
    let files = SourceTree.files.filter {
      $0.lies(in: "Sources") || $0.lies(in: "Tests") || $0.lies(in: "Tools")
    }
    expectNone(files.flatMap(marks))
  }

  @Test func `libraries do not print`() {
    expectNone(SourceTree.swift.filter { $0.lies(in: "Sources") }.flatMap(prints))
  }

  @Test func `locks are those that the thread sanitizer knows`() {
    expectNone(SourceTree.swift.filter { $0.lies(in: "Sources") || $0.lies(in: "Tests") }.flatMap(unknownLocks))
  }

  @Test func `unsafe code states why it is safe`() {
    expectNone(SourceTree.swift.filter { !$0.isManifest }.flatMap(unexplained))
  }

  @Test func `a file opens with a sentence that describes it`() {
    let files = SourceTree.swift.filter { !$0.isManifest } + SourceTree.scripts
    expectNone(files.flatMap(poorOpening))
  }

  @Test func `source files stay below the maximum length`() {
    expectNone(SourceTree.swift.filter { $0.lies(in: "Sources") || $0.lies(in: "Tools") }.flatMap(length))
  }

  @Test func `no file names a machine or a package registry`() {
    expectNone(SourceTree.files.flatMap(traces))
  }
}

// MARK: What is wrong

func wideLines(in file: SourceFile) -> [String] {
  file.complaints(file.lines) { line in
    line.utf8.count > widthMax && line.count > widthMax ? "\(line.count) columns; break the line, \(widthMax) fit" : nil
  }
}

/// The marks are concatenated here so that this file does not contain them.
func marks(in file: SourceFile) -> [String] {
  let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
  return file.complaints(file.lines) { line in
    let words = words(of: line)
    return marks.first { words.contains($0[...]) }.map { "\($0): do it now, or take the mark out" }
  }
}

func unknownLocks(in file: SourceFile) -> [String] {
  // An expression is compiled for each line for which it is evaluated.
  guard ["Locked(())", "Mutex<", "Mutex("].contains(where: file.has) else { return [] }
  return file.complaints(file.code) { line in
    if line.contains(/\bLocked\(\(\)\)/) {
      return "the thread sanitizer takes an empty value for another one; use Locked(false)"
    }
    return line.contains(/\bMutex[<(]/)
      ? "the thread sanitizer does not know the standard library's Mutex; use Locked" : nil
  }
}

func prints(in file: SourceFile) -> [String] {
  guard ["print(", "debugPrint(", "dump("].contains(where: file.has) else { return [] }
  return file.complaints(file.code) { line in
    guard line.contains(/\b(print|debugPrint|dump)\(/) else { return nil }
    return "a library prints nothing; return or throw what there is to say"
  }
}

/// Finds `unsafe` as a word: the keyword, `nonisolated(unsafe)`, `@unsafe`; not `UnsafePointer`, `withUnsafeBytes`.
func unexplained(in file: SourceFile) -> [String] {
  file.code.enumerated().compactMap { index, line in
    guard line.contains("@unchecked") || words(of: line).contains("unsafe") else { return nil }
    let before = file.lines[max(0, index - 3)..<index]
    guard !before.contains(where: { $0.contains(/\/\/.*Safe because/) }) else { return nil }
    return file.complaint(index, "write `// Safe because …` within the three lines above")
  }
}

private func words(of line: String) -> [Substring] {
  line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
}

func poorOpening(in file: SourceFile) -> [String] {
  let sign = file.isScript ? "#" : "//"
  let start = file.isScript ? 1 : 0
  let opening = file.lines.dropFirst(start).prefix { $0.hasPrefix(sign) }
  let header = opening.contains {
    $0.contains("===") || $0.contains("Copyright") || $0.contains("Created by")
  }
  let begins = opening.first?.contains(/^(\/\/\/?|#) ["`A-Z]/) == true
  let ends = opening.contains { $0.hasSuffix(".") }
  guard !begins || !ends || header else { return [] }
  return [file.complaint(start, "open with `\(sign) ` and a sentence that says what this file is; no header")]
}

func length(of file: SourceFile) -> [String] {
  guard file.lines.count > libraryLinesMax + 1 else { return [] }
  return [
    file.complaint(
      libraryLinesMax, "\(file.lines.count - 1) lines; make it two files, each with its sentence")
  ]
}

/// The hosts are put together here so that this file does not hold them.
func traces(in file: SourceFile) -> [String] {
  let registries = [
    ["npmjs", "org"], ["pypi", "org"], ["pythonhosted", "org"], ["crates", "io"], ["rubygems", "org"],
    ["golang", "org"], ["maven", "org"], ["docker", "io"], ["ghcr", "io"], ["debian", "org"],
  ].map { $0.joined(separator: ".") }
  guard (registries + ["work", "Users", "home"].map { "/\($0)/" }).contains(where: file.has) else { return [] }
  return file.complaints(file.lines) { line in
    if line.contains(/(^|[\s"'`=(:\/])\/(work|Users|home)\//) {
      return "take out the path of somebody's machine"
    }
    return registries.first { line.contains($0) }.map { "take out \($0): no registry is named here" }
  }
}

// MARK: Each check can fail

struct `Text violations` {
  @Test func `a line that is too wide is reported`() {
    #expect(wideLines(in: SourceFile("A.swift", String(repeating: "é", count: 120))).isEmpty)
    #expect(wideLines(in: SourceFile("A.swift", lines: "", String(repeating: "é", count: 121))).count == 1)
  }

  @Test func `a mark of unfinished work is reported`() {
    #expect(marks(in: SourceFile("A.swift", "// TO" + "DO: later")).count == 1)
    #expect(marks(in: SourceFile("A.swift", "let TO" + "DOS = 1")).isEmpty)
  }

  @Test func `a library that prints is reported`() {
    #expect(prints(in: SourceFile("A.swift", lines: "", "  print(1)")).map { $0.prefix(9) } == ["A.swift:2"])
    #expect(
      prints(in: SourceFile("A.swift", lines: "/// print(1)", "fingerprint(1)", "f(\"print(1)\")")).isEmpty)
  }

  @Test(arguments: ["class A: @unchecked Sendable", "nonisolated(unsafe) var a = 1", "let a = unsafe f()"])
  func `unsafe code without a reason is reported`(line: String) {
    #expect(unexplained(in: SourceFile("A.swift", line)).count == 1)
    #expect(unexplained(in: SourceFile("A.swift", lines: "// Safe because it is.", "", "", line)).isEmpty)
    #expect(
      unexplained(in: SourceFile("A.swift", lines: "// Safe because it is.", "", "", "", line)).count == 1)
  }

  @Test func `names of unsafe types need no reason`() {
    #expect(unexplained(in: SourceFile("A.swift", lines: "a.withUnsafeBytes", "UnsafePointer<Int>")).isEmpty)
  }

  @Test(arguments: ["import LMDB", "//\n//  A.swift\n//", "// no sentence", "// ===\n// A header.", ""])
  func `a file without an opening sentence is reported`(text: String) {
    #expect(poorOpening(in: SourceFile("A.swift", text)).count == 1)
  }

  @Test func `a script without an opening sentence is reported`() {
    #expect(poorOpening(in: SourceFile("Tools/a", "#!/usr/bin/env bash\nset -e")).count == 1)
    #expect(poorOpening(in: SourceFile("Tools/a", "#!/usr/bin/env bash\n# Runs all.\nset -e")).isEmpty)
  }

  @Test func `a source file that is too long is reported`() {
    #expect(length(of: SourceFile("A.swift", String(repeating: "a\n", count: 400))).isEmpty)
    #expect(length(of: SourceFile("A.swift", String(repeating: "a\n", count: 401))).count == 1)
  }

  @Test func `traces of a machine or a registry are reported`() {
    #expect(traces(in: SourceFile("a.md", "see /ho" + "me/me/notes")).count == 1)
    #expect(traces(in: SourceFile("a.md", "from crates" + ".io")).count == 1)
    #expect(traces(in: SourceFile("a.md", "Sources/ho" + "me/a")).isEmpty)
  }
}
