// Signed notes have the form that other programs read and write.
import Digests
import SeededRandom
import Testing

@Suite struct `A signed note` {
  /// The published example of the form, by the Go package `note`.
  private static let example = """
    If you think cryptography is the answer to your problem,
    then you don't know what your problem is.

    — PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=

    """
  private static let publicText = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
  private static let secretText =
    "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"

  @Test func `has the signature of the published example`() throws {
    let key = try #require(SigningKey(Self.secretText))
    #expect("\(key.publicKey)" == Self.publicText)
    #expect(key.secretText == Self.secretText)
    let read = try #require(SignedNote(parsing: Self.example))
    #expect(try read.verdict(of: #require(PublicKey(Self.publicText))) == .signed)
    var written = try #require(SignedNote(read.text))
    written.sign(with: key)
    #expect("\(written)" == Self.example)
    written.sign(with: key)
    #expect("\(written)" == Self.example)
  }

  @Test func `of several signers is verified for each`() throws {
    let keys = try ["a.example", "b.example", "ü.example"].map { try #require(SigningKey(named: $0)) }
    var note = try #require(SignedNote("words\nmore words\n"))
    for key in keys.dropLast() { note.sign(with: key) }
    let read = try #require(SignedNote(parsing: "\(note)"))
    #expect(read == note)
    #expect(keys.map { read.verdict(of: $0.publicKey) } == [.signed, .signed, .unsigned])
    #expect(read.signers == ["a.example", "b.example"])
    // The same name with another key is another signer.
    #expect(try read.verdict(of: #require(SigningKey(named: "a.example")).publicKey) == .unsigned)
  }

  @Test func `that was changed is no note or is not signed`() throws {
    var random = SeededRandom.printingSeed()
    let key = try #require(SigningKey(named: "a.example"))
    var note = try #require(SignedNote("position 12\nhash 3f\n"))
    note.sign(with: key)
    let bytes = Array("\(note)".utf8)
    for _ in 0..<2_000 {
      var changed = bytes
      changed[random.below(changed.count)] ^= 1 << UInt8(random.below(8))
      guard let text = String(validating: changed, as: UTF8.self), let read = SignedNote(parsing: text) else {
        continue
      }
      #expect(read.verdict(of: key.publicKey) != .signed, "\(text)")
    }
    for count in 0..<bytes.count {
      guard let text = String(validating: bytes[..<count], as: UTF8.self) else { continue }
      #expect(SignedNote(parsing: text) == nil)
    }
  }

  @Test(
    arguments: [
      "", "\n", "text", "text\n", "text\n\n", "\n\n", "a\n\nb\n\n— n AAAAAAA=\n", "a\r\n\n— n AAAAAAA=\n",
      "a\n\n- n AAAAAAA=\n", "a\n\n— n AAAA\n", "a\n\n— n  AAAAAAA=\n", "a\n\n— n+ AAAAAAA=\n", "a\n\n— n AAAAAAA\n",
      "a\n\n— n AAAAAAA=", "a\u{7}\n\n— n AAAAAAA=\n",
    ])
  func `has a text that ends with a line, an empty line and signatures`(text: String) {
    #expect(SignedNote(parsing: text) == nil)
  }

  @Test(arguments: ["", "a b", "a+b", "a\tb", "a\nb", "a\u{A0}b", "\u{3000}"])
  func `is not signed by a name with spaces`(name: String) {
    #expect(!PublicKey.isName(name))
    #expect(SigningKey(named: name) == nil)
  }

  @Test(
    arguments: [
      "", "PeterNeumann", publicText.lowercased(), String(publicText.dropLast()), publicText + "A",
      publicText.replacing("c74f20a3", with: "c74f20a4"), publicText.replacing("PeterNeumann", with: "Peter"),
      publicText.replacing("+AR", with: "+AB"), publicText + "\n", secretText,
    ])
  func `is not verified by the text of no key`(text: String) {
    #expect(PublicKey(text) == nil)
    #expect(SigningKey(text == Self.secretText ? Self.publicText : text) == nil)
  }
}
