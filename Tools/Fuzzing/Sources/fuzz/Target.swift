// The targets: readers of untrusted bytes.
import Foundation

/// A reader of untrusted bytes, with the check of an input and its seed inputs.
struct Target: Sendable {
  /// The name on the command line.
  let name: String
  /// The maximum length of an input: longer ones take time and reach no other code.
  let maxLength: Int
  /// Returns the seed inputs, by names, from the directory of the fixtures.
  let seeds: @Sendable (_ fixtures: URL) throws -> [String: [UInt8]]
  /// Prepares what all inputs share.
  let prepare: @Sendable () -> Void
  /// Tests an input: ends the process if a promise of the reader is broken.
  let check: @Sendable (_ input: [UInt8]) -> Void

  static let all = [
    blocks, events, intents, json, importLines, scenarios, composer, html, terminalText, keys, pages,
  ]

  /// Returns the target with a name.
  init(named name: String) throws {
    guard let target = Self.all.first(where: { $0.name == name }) else {
      throw UnknownTarget(description: "“\(name)” is no target: choose one that --list prints.")
    }
    self = target
  }

  init(
    _ name: String, maxLength: Int = 4096, seeds: @escaping @Sendable (URL) throws -> [String: [UInt8]],
    prepare: @escaping @Sendable () -> Void = {}, check: @escaping @Sendable ([UInt8]) -> Void
  ) {
    (self.name, self.maxLength, self.seeds, self.prepare, self.check) = (name, maxLength, seeds, prepare, check)
  }

  private struct UnknownTarget: Error, CustomStringConvertible {
    let description: String
  }

  /// Writes each seed input to a file of a directory.
  func writeSeeds(from fixtures: URL, to corpus: URL) throws {
    try FileManager.default.createDirectory(at: corpus, withIntermediateDirectories: true)
    for (name, bytes) in try seeds(fixtures) {
      try Data(bytes).write(to: corpus.appending(path: "seed-\(name)"))
    }
  }
}

extension URL {
  /// The files of a directory and the directories in it, by their paths without slashes.
  func files(_ pathExtension: String) throws -> [(name: String, bytes: [UInt8])] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: path(percentEncoded: false)).sorted()
    return try paths.filter { $0.hasSuffix("." + pathExtension) }.map { path in
      (path.replacing("/", with: "-"), Array(try Data(contentsOf: appending(path: path))))
    }
  }

  /// The lines of a file, without line ends.
  func lines() throws -> [[UInt8]] { Array(try Data(contentsOf: self)).split(separator: 0x0A).map { Array($0) } }
}

extension Sequence<String> {
  /// Returns seed inputs: each text after each of the mode bytes.
  func seeds(modes: some Sequence<UInt8>) -> [String: [UInt8]] {
    var seeds: [String: [UInt8]] = [:]
    for (index, text) in enumerated() {
      for mode in modes { seeds["\(index)-\(mode)"] = [mode] + Array(text.utf8) }
    }
    return seeds
  }
}
