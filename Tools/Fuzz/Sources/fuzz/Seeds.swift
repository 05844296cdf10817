// Writes the seed inputs: every stored shape of the fixtures, in a stream of each form.
import ChatCodec
import Foundation

enum Seeds {
  /// Writes an input to the corpus directory for each file `<type>/<version>…` in the fixtures directory.
  static func write(from fixtures: URL, to corpus: URL) throws {
    try FileManager.default.createDirectory(at: corpus, withIntermediateDirectories: true)
    for family in try contents(of: fixtures) {
      for fixture in try contents(of: family) where fixture.pathExtension == "bin" {
        guard let type = Seeds.number(of: family.lastPathComponent, fixture.lastPathComponent) else { continue }
        let payload = try Data(contentsOf: fixture)
        for subject in Input.subjects.indices {
          let name = "seed-\(family.lastPathComponent)-\(fixture.lastPathComponent)-\(subject)"
          try (Data([type, UInt8(subject)]) + payload).write(to: corpus.appending(path: name))
        }
      }
    }
  }

  private static func contents(of folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .sorted { $0.path < $1.path }
  }

  /// Returns the byte of a type in an input; nil when the file name does not begin with the version of a shape.
  private static func number(of family: String, _ file: String) -> UInt8? {
    let shape = Shape(rawValue: "\(family).\(file.prefix { $0.isNumber })")
    return shape.flatMap { Shape.allCases.firstIndex(of: $0) }.map(UInt8.init)
  }
}
