// Seals of a workspace: what its signer and a witness refuse to sign.
import Digests
import EventLog
import Foundation
import Testing

@testable import Verbatim

@Suite struct `Seals of a workspace` {
  private let folder = WorkspaceFolder()
  private let seals = NSTemporaryDirectory() + "verbatim-seals-\(UUID().uuidString)"

  @Test func `a seal of the same end is made once, and each key has its own signature`() async throws {
    defer { try? FileManager.default.removeItem(atPath: seals) }
    let workspace = try folder.open()
    let (key, other) = try (#require(SigningKey(named: "a")), #require(SigningKey(named: "b")))
    await #expect(throws: SealError.self) { try await workspace.seal(with: key, in: seals) }
    try await workspace.client(user: "ada", device: "phone").me.create(name: "Ada")
    let first = try await workspace.seal(with: key, in: seals)
    #expect(try await workspace.seal(with: key, in: seals) == first)
    let both = try await workspace.seal(with: other, in: seals)
    #expect(both.signers == ["a", "b"])
    #expect(try await workspace.checkSeals(in: seals, signedBy: [key.publicKey, other.publicKey]) == [both])
    try await workspace.client(user: "ben", device: "phone").me.create(name: "Ben")
    let second = try await workspace.seal(with: key, in: seals)
    #expect(second.previousPosition == first.position && second.previousHash == first.hash)
    await #expect(throws: SealError.self) {
      try await workspace.checkSeals(in: seals, signedBy: [key.publicKey, other.publicKey])
    }
    #expect(try await workspace.checkSeals(in: seals, signedBy: [key.publicKey]) == [both, second])
    await workspace.close()
  }

  @Test(arguments: ["hash", "previous-hash", "blocks", "previous-position"])
  func `a witness does not sign a seal that is not true`(line: String) async throws {
    defer { try? FileManager.default.removeItem(atPath: seals) }
    let workspace = try folder.open()
    let (key, witness) = try (#require(SigningKey(named: "a")), #require(SigningKey(named: "w")))
    for name in ["ada", "ben"] {
      try await workspace.client(user: .init(rawValue: name)!, device: "phone").me.create(name: UserText(name))
      try await workspace.seal(with: key, in: seals)
    }
    let source = SealDirectory(at: seals)
    let seal = try #require(try source.seals().last)
    let lines = "\(seal)".split(separator: "\n").prefix(8).map { old in
      guard old.hasPrefix(line + " ") else { return old + "\n" }
      return line == "previous-position"
        ? "previous-position 0\n" : line + " " + String(repeating: "5", count: 64) + "\n"
    }
    var note = try #require(SignedNote(lines.joined()))
    note.sign(with: key)
    try "\(note)".write(toFile: "\(seals)/\(seal.position).seal", atomically: true, encoding: .utf8)
    let own = SealDirectory(at: seals + "/own")
    #expect(throws: SealError.self) {
      try own.witness(workspace.store.log, sealedIn: source, by: key.publicKey, with: witness)
    }
    #expect(try own.seals().allSatisfy { $0.position < seal.position })
    await workspace.close()
  }
}
