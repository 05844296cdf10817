// Threat: an attachment of an erasable workspace is readable without its URL, is lost, or is taken for another.
import Digests
import Foundation
import PostgresServer
import SeededRandom
import Testing

@testable import Verbatim

@Suite(.directoryOnly("an erasable workspace has its blobs in a directory")) struct `Blobs that are encrypted` {
  private let folder: BlobFolder

  init() throws { folder = try BlobFolder() }

  private var blobs: BlobStore { BlobStore(in: folder.path, freeSpaceReserve: 0, isEncrypted: true) }

  /// The path of a blob's file.
  private func file(_ id: Blob.ID) -> String { folder.path + "/blobs/\(id.hash.prefix(2))/\(id.hash)" }

  /// Stores bytes under their own hash; returns the id with a key.
  private func store(_ bytes: [UInt8], _ key: String?) throws -> Blob.ID {
    let hash = bytes.withUnsafeBytes { ChainHash(of: $0, after: nil) }
    let id = Blob.ID(hash, key: key.flatMap { SecretKey(hexadecimal: $0) })
    let directory = folder.path + "/blobs/\(id.hash.prefix(2))"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: file(id)))
    return id
  }

  @Test(arguments: [0, 1, 100, 65_535, 65_536, 65_537, 1 << 20, 3 << 20 + 7])
  func `are read with the key in their URL, and stored as envelopes of chunks`(count: Int) async throws {
    var random = SeededRandom.printingSeed()
    let (blobs, content) = (blobs, random.noise(count))
    let blob = try await blobs.add(fileAt: try folder.write(content))
    #expect(blob.byteCount == count)
    #expect(blob.url.string == "blob:\(blob.id.hash)-\(blob.id.key ?? "")")
    #expect(Blob.ID(url: blob.url) == blob.id && Blob.ID(blob.id.text) == blob.id)
    #expect("\(blob.id)" == blob.id.hash)
    #expect(try await blobs.read(blob.id) == content)
    try await blobs.verify(blob.id)
    #expect(blobs.path(of: blob.id) == nil && blobs.path(of: blob.url) == nil)
    let copy = folder.path + "/copy"
    try await blobs.copy(blob.id, toFileAt: copy)
    #expect(try bytes(of: copy) == content)
    #expect(try mode(of: copy) == 0o600)
    let stored = try bytes(of: file(blob.id))
    #expect(stored.count == count + 16 * (count / 65_536 + 1))
    #expect(stored.withUnsafeBytes { ChainHash(of: $0, after: nil) }.description == blob.id.hash)
    if count >= 100 {
      for start in [0, count / 2, count - 16] {
        #expect(Data(stored).firstRange(of: Data(content[start..<start + 16])) == nil)
      }
    }
    // Another copy has another key.
    let other = try await blobs.add(content)
    #expect(other.id.hash != blob.id.hash && other.id.key != blob.id.key)
    #expect(try await blobs.read(other.id) == content)
  }

  @Test func `are checked without their keys, and not read`() async throws {
    let (blobs, content) = (blobs, [UInt8](repeating: 7, count: 100_000))
    let blob = try await blobs.add(content)
    let id = try #require(Blob.ID(blob.id.hash))
    try await blobs.verify(id)
    #expect(try await blobs.read(id) != content)
  }

  /// In 1,000 cases the file or the URL was changed; the error states which of both.
  @Test func `are reported as damaged, or as encrypted with another key`() async throws {
    var random = SeededRandom.printingSeed()
    let blobs = blobs
    for _ in 0..<1_000 {
      let blob = try await blobs.add(random.noise(random.below(200) + (random.below(10) == 0 ? 65_500 : 0)))
      let (id, stored) = (blob.id, try bytes(of: file(blob.id)))
      var changed = stored
      let isDamaged: Bool
      var read = id
      switch random.below(6) {
      case 0:
        changed[random.below(changed.count)] ^= UInt8(1 << random.below(8))
        isDamaged = true
      case 1:
        changed.removeLast(random.below(changed.count) + 1)
        isDamaged = true
      case 2:
        changed.append(UInt8(random.below(256)))
        isDamaged = true
      case 3:
        // Another key, or one of another blob.
        read = Blob.ID(try #require(Blob.ID(id.hash)).text + "-" + SecretKey.random().hexadecimal)!
        isDamaged = false
      case 4:
        // A whole file of its own, cut short under the same key.
        changed.removeLast(random.below(changed.count) + 1)
        read = try store(changed, id.key)
        isDamaged = false
      default:
        // A chunk more, which is the one before.
        changed += stored
        read = try store(changed, id.key)
        isDamaged = false
      }
      try Data(changed).write(to: URL(filePath: file(read)))
      let expected: BlobError =
        isDamaged ? .damaged(read, path: file(read)) : .undecryptable(read, path: file(read))
      await #expect(throws: expected) { _ = try await blobs.read(read) }
      let copy = folder.path + "/copy"
      await #expect(throws: expected) { try await blobs.copy(read, toFileAt: copy) }
      #expect(!FileManager.default.fileExists(atPath: copy))
    }
  }

  @Test func `are copied to new files only`() async throws {
    let blobs = blobs
    let blob = try await blobs.add([1, 2, 3])
    let there = try folder.write([9], to: "there")
    await #expect(throws: BlobError.notCopied(path: there, reason: "it exists")) {
      try await blobs.copy(blob.id, toFileAt: there)
    }
    #expect(try bytes(of: there) == [9])
    let (directory, link) = (folder.path + "/directory", folder.path + "/link")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    symlink(directory, link)
    try await blobs.copy(blob.id, toFileAt: link + "/file")
    #expect(try bytes(of: directory + "/file") == [1, 2, 3])
    let nowhere = folder.path + "/no/file"
    await #expect { try await blobs.copy(blob.id, toFileAt: nowhere) } throws: {
      guard case BlobError.notCopied(nowhere, _) = $0 else { return false }
      return true
    }
  }

  @Test func `have ids with one key at most`() async throws {
    let digits = String(repeating: "a1", count: 32)
    for text in [digits + "-", digits + digits, digits + "-" + digits + "-" + digits, "-" + digits, digits + "-a1"] {
      #expect(Blob.ID(text) == nil, "\(text)")
    }
    let ids = ["blob:\(digits)", "blob:\(digits)-\(digits)", "blob:\(digits)-\(digits.dropLast())"]
    let all = Array(ids.joined(separator: " ").utf8).withUnsafeBytes { Blob.ID.all(in: $0) }
    #expect(all.map(\.text) == [digits, digits + "-" + digits, digits])
  }
}
