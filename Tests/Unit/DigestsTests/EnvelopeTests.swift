// Envelopes: the documented bytes, and what is refused.
import Digests
import SeededRandom
import Testing

@Suite struct `An envelope` {
  /// Computed with BLAKE2b and XChaCha20-Poly1305 of Python's `hashlib` and PyNaCl, with the key 0, 1 … 31.
  @Test(
    arguments: [
      ("", "", "fff643719bb830624efbf81a66085d4f"),
      ("Hello, Ada.", "", "464ca10a4e36b8d5e69ea9a985bdc10092307fc180e246fb398b4c"),
      ("", "channel/general", "964ac929ff13b19e7784f83bb5dae0c8"),
    ])
  func `has the documented bytes`(text: String, context: String, envelope: String) throws {
    let key = EnvelopeKey(of: try #require(SecretKey(0..<32)))
    #expect(hexadecimal(key.encrypt(Array(text.utf8), context)) == envelope)
  }

  @Test func `is decrypted with its key, in its context, and not after a change`() throws {
    var random = SeededRandom.printingSeed()
    let keys = [EnvelopeKey(of: .random()), EnvelopeKey(of: .random())]
    for count in 0..<300 {
      let text = (0..<count).map { _ in UInt8(random.below(256)) }
      let context = "channel/general \(count)"
      let envelope = keys[0].encrypt(text, context)
      #expect(envelope == keys[0].encrypt(text, context))
      #expect(keys[0].decrypt(envelope, context) == text)
      #expect(keys[1].decrypt(envelope, context) == nil)
      #expect(keys[0].decrypt(envelope, context + " ") == nil)
      var changed = envelope
      changed[random.below(changed.count)] ^= 1 << UInt8(random.below(8))
      #expect(keys[0].decrypt(changed, context) == nil)
      #expect(keys[0].decrypt(Array(envelope.dropLast()), context) == nil)
    }
  }

  @Test func `shows no two equal texts of two contexts`() {
    let key = EnvelopeKey(of: .random())
    let envelopes = (0..<1_000).map { key.encrypt(Array("yes, at five then".utf8), "channel/general \($0)") }
    #expect(Set(envelopes.map { Array($0.dropFirst(EnvelopeKey.tagByteCount)) }).count == envelopes.count)
  }

  @Test func `and keys are derived as documented`() throws {
    let key = try #require(SecretKey(0..<32))
    let other = try #require(SecretKey(32..<64))
    let (next, both) = (key.derived(for: "next day"), key.derived(for: "message", and: other))
    // Of Python's `hashlib`.
    #expect(
      hexadecimal(next.withBytes { Array($0) }) == "89b677ffb1bc734f843b91660b41f5dfe64216ba27303d1bd16193d8b20dce10")
    #expect(
      hexadecimal(both.withBytes { Array($0) }) == "d5f3e35e2931560d93da414d23fd90b9d7eff46417c6858efe906a236f0b6332")
  }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

extension SecretKey {
  fileprivate init?(_ bytes: Range<UInt8>) {
    guard let key = Array(bytes).withUnsafeBytes({ SecretKey(bytes: $0) }) else { return nil }
    self = key
  }
}

extension EnvelopeKey {
  fileprivate func encrypt(_ text: [UInt8], _ context: String) -> [UInt8] {
    var envelope = [UInt8](repeating: 0, count: text.count + Self.tagByteCount)
    let context = Array(context.utf8)
    envelope.withUnsafeMutableBytes { envelope in
      text.withUnsafeBytes { text in context.withUnsafeBytes { encrypt(text, in: $0, into: envelope) } }
    }
    return envelope
  }

  fileprivate func decrypt(_ envelope: [UInt8], _ context: String) -> [UInt8]? {
    guard envelope.count >= Self.tagByteCount else {
      return envelope.withUnsafeBytes { decrypt($0, in: $0, into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) }
        ? [] : nil
    }
    var text = [UInt8](repeating: 1, count: envelope.count - Self.tagByteCount)
    let context = Array(context.utf8)
    let isWhole = text.withUnsafeMutableBytes { text in
      envelope.withUnsafeBytes { envelope in context.withUnsafeBytes { decrypt(envelope, in: $0, into: text) } }
    }
    if !isWhole { #expect(text.allSatisfy { $0 == 0 }) }
    return isWhole ? text : nil
  }
}
