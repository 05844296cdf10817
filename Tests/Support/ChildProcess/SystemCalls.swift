// Parses the system calls of a process from `strace`, and computes which writes were not yet durable at some point.
import Foundation

/// The system calls of a process and its threads, in the order in which they ended.
package struct SystemCalls {
  /// A system call.
  package struct Call {
    package let name: String
    package let text: String
    package let result: Int
    /// The lines of the trace where the call began and ended.
    package let began: Int
    package let ended: Int
  }

  /// The error that `strace` is missing or not permitted.
  package struct NoTrace: Error, CustomStringConvertible {
    package let description: String
  }

  package private(set) var calls: [Call] = []

  /// Runs a program to its end, with a line end as its input, and records its calls that concern files.
  package init(of arguments: [String], in file: String) throws {
    defer { try? FileManager.default.removeItem(atPath: file) }
    let names =
      "/^(p?write(v|64|v2)?|f?data?sync|fsync|msync|f?truncate|fallocate|open|openat2?|creat|close|"
      + "(rename|mkdir|unlink)(at|at2)?|rmdir)$"
    let child = try Child(["strace", "-f", "-y", "-s", "300", "-e", "trace=" + names, "-o", file] + arguments)
    child.send()
    let ending = try child.finish()
    guard ending == .exit(0), let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw NoTrace(
        description: "strace did not trace the program (\(ending)): install it with `Tools/setup --checks` and permit "
          + "ptrace, or set VERBATIM_NO_STRACE to leave these tests out.")
    }
    self.init(text)
  }

  /// Whether tests that need `strace` are enabled.
  package static var areWanted: Bool { ProcessInfo.processInfo.environment["VERBATIM_NO_STRACE"] == nil }

  init(_ text: String) {
    var unfinished: [Substring: (line: Int, text: String)] = [:]
    for (number, line) in text.split(separator: "\n").enumerated() {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard parts.count == 2 else { continue }
      let (process, rest) = (parts[0], parts[1].drop { $0 == " " })
      if let range = rest.range(of: " <unfinished ...>") {
        unfinished[process] = (number, String(rest[..<range.lowerBound]))
      } else if rest.hasPrefix("<... "), let range = rest.range(of: " resumed>") {
        guard let (began, head) = unfinished.removeValue(forKey: process) else { continue }
        add(head + rest[range.upperBound...], began, number)
      } else {
        add(String(rest), number, number)
      }
    }
  }

  private mutating func add(_ text: String, _ began: Int, _ ended: Int) {
    guard let open = text.firstIndex(of: "("), let equals = text.range(of: ") ", options: .backwards) else { return }
    let result = text[equals.upperBound...].drop { " =".contains($0) }.prefix { $0.isNumber || $0 == "-" }
    calls.append(
      Call(name: String(text[..<open]), text: text, result: Int(result) ?? -1, began: began, ended: ended))
  }

  /// Returns the calls without those that match a condition.
  package func without(_ isLeftOut: (Call) -> Bool) -> SystemCalls {
    var others = self
    others.calls.removeAll(where: isLeftOut)
    return others
  }

  /// Returns the writes to standard output whose text begins with a word.
  package func said(_ word: String) -> [Call] {
    calls.filter { $0.name == "write" && $0.descriptor == 1 && $0.text.contains("\"\(word)") }
  }
}

extension SystemCalls.Call {
  /// The file descriptor that is the first argument.
  package var descriptor: Int? { Int(text.drop { $0 != "(" }.dropFirst().prefix { $0.isNumber }) }

  /// Whether the call opens a file.
  package var isOpening: Bool { ["open", "openat", "openat2", "creat"].contains(name) }

  /// The path of that descriptor at the time of the call.
  package var path: String? {
    guard let match = text.prefixMatch(of: /\w+\(\d+<(.*?)>/) else { return nil }
    return String(match.1)
  }

  /// The path of the descriptor that is the result.
  var resultPath: String? { text.firstMatch(of: /= \d+<(.*?)>$/).map { String($0.1) } }

  /// The paths that are arguments, each made absolute by the directory argument before it.
  package var paths: [String] {
    text.matches(of: /(?:(?:AT_FDCWD|\d+)(?:<([^>]*)>)?, )?"([^"]*)"/).map { match in
      let path = String(match.2)
      return path.hasPrefix("/") ? path : (match.1.map(String.init) ?? "") + "/" + path
    }
  }
}

extension SystemCalls {
  /// Whatever below a directory was not synced when a call began: paths of files that were written, and of files and
  /// directories that were made or renamed, whose entry is not on the disk.
  ///
  /// `existing` are the paths that were there before.
  package func unsynced(below directory: String, before end: Call, existing: Set<String> = []) -> Unsynced {
    var unsynced = Unsynced()
    var known = existing
    for call in calls where call.ended < end.began && call.result >= 0 {
      switch call.name {
      case "write", "writev", "pwrite64", "pwritev", "pwritev2", "ftruncate", "fallocate":
        if let path = call.path, path.hasPrefix(directory + "/") { unsynced.contents[path] = call.ended }
      case _ where call.isOpening:
        guard call.text.contains("O_CREAT"), let path = call.resultPath, known.insert(path).inserted else { continue }
        if path.hasPrefix(directory + "/") { unsynced.entries[path] = call.ended }
      case "mkdir", "mkdirat":
        guard let path = call.paths.first, known.insert(path).inserted else { continue }
        if path.hasPrefix(directory) { unsynced.entries[path] = call.ended }
      case "rename", "renameat", "renameat2":
        guard call.paths.count == 2 else { continue }
        let (from, to) = (call.paths[0], call.paths[1])
        unsynced.rename(from, to)
        known.formUnion(known.filter { $0 == from || $0.hasPrefix(from + "/") }.map { to + $0.dropFirst(from.count) })
        if to.hasPrefix(directory + "/") { unsynced.entries[to] = call.ended }
      case "unlink", "unlinkat", "rmdir":
        guard let path = call.paths.first else { continue }
        unsynced.forget(path)
        known.remove(path)
      case "fsync", "fdatasync":
        if let path = call.path { unsynced.sync(path, call) }
      default: break
      }
    }
    return unsynced
  }

  /// What is not on the disk, with the line of the trace that changed it last.
  package struct Unsynced {
    package fileprivate(set) var contents: [String: Int] = [:]
    package fileprivate(set) var entries: [String: Int] = [:]

    /// Each path, with what of it is missing.
    package var descriptions: [String] {
      (contents.keys.map { "\($0): its content" } + entries.keys.map { "\($0): its entry" }).sorted()
    }

    /// Moves what is known of a file, or of a directory and all below it, to another path.
    fileprivate mutating func rename(_ from: String, _ to: String) {
      func moved(_ places: [String: Int]) -> [String: Int] {
        Dictionary(
          places.map { path, place in
            let isMoved = path == from || path.hasPrefix(from + "/")
            return (isMoved ? to + path.dropFirst(from.count) : path, place)
          }, uniquingKeysWith: max)
      }
      contents[to] = nil
      (contents, entries) = (moved(contents), moved(entries))
    }

    fileprivate mutating func forget(_ path: String) { (contents[path], entries[path]) = (nil, nil) }

    /// A sync of a file covers what was written before it began, one of a directory the entries.
    fileprivate mutating func sync(_ path: String, _ call: Call) {
      if let place = contents[path], place < call.began { contents[path] = nil }
      entries = entries.filter { entry, place in
        place > call.began || entry[..<(entry.lastIndex(of: "/") ?? entry.startIndex)] != path
      }
    }
  }
}
