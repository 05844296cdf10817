// The files of the package, located from this file's compile-time path.
import Foundation
import Testing

enum SourceTree {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The path of every file in the package's directory, except build artifacts.
  static let paths: [String] = {
    let leftBehind: Set = [".git", ".build", ".swiftpm", ".DS_Store"]
    let prefix = root.path(percentEncoded: false)
    let walk = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isDirectoryKey])
    var paths: [String] = []
    while let url = walk?.nextObject() as? URL {
      if leftBehind.contains(url.lastPathComponent) {
        walk?.skipDescendants()
      } else if (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == false {
        paths.append(String(url.path(percentEncoded: false).dropFirst(prefix.count)))
      }
    }
    return paths.sorted()
  }()

  /// Every text file.
  static let files: [SourceFile] = paths.compactMap { path in
    guard let bytes = try? Data(contentsOf: root.appending(path: path)), !bytes.contains(0) else {
      return nil
    }
    return String(data: bytes, encoding: .utf8).map { SourceFile(path, $0) }
  }

  static var swift: [SourceFile] { files.filter(\.isSwift) }
  static var scripts: [SourceFile] { files.filter(\.isScript) }

  static let manifest = Manifest(files.first { $0.path == "Package.swift" }?.text ?? "")
}

/// Records one issue per complaint, so that each is reported on a line of its own.
func expectNone(_ complaints: [String], sourceLocation: SourceLocation = #_sourceLocation) {
  for complaint in complaints {
    Issue.record(Comment(rawValue: complaint), sourceLocation: sourceLocation)
  }
}

@Test func `the source tree is found`() {
  #expect(SourceTree.files.contains { $0.path == "Tests/Unit/TidyTests/SourceTree.swift" })
  #expect(SourceTree.manifest.targets.contains { $0.name == "TidyTests" })
}
