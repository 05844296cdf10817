// Envelopes: encrypted bytes that prove where they belong.
internal import CSodium

/// A key for envelopes: encrypted texts, each with a tag that depends on the text and on a context, which is known to
/// the reader and not stored.
///
/// Envelopes need no random numbers: the same text in the same context always has the same envelope. <doc:Digests>
/// describes the bytes.
public struct EnvelopeKey: Sendable {
  /// The number of bytes by which an envelope is longer than its text.
  public static let tagByteCount = 16

  private let tagKey: SecretKey
  private let cipherKey: SecretKey

  /// Derives the two halves of the key from a secret.
  public init(of secret: SecretKey) {
    (tagKey, cipherKey) = (secret.derived(for: "envelope tag"), secret.derived(for: "envelope cipher"))
  }

  /// Writes the envelope of a text in a context, which is ``tagByteCount`` bytes longer than the text.
  public func encrypt(
    _ text: UnsafeRawBufferPointer, in context: UnsafeRawBufferPointer, into envelope: UnsafeMutableRawBufferPointer
  ) {
    precondition(envelope.count == text.count + Self.tagByteCount, "an envelope has not the length of its text")
    let tag = UnsafeMutableRawBufferPointer(rebasing: envelope[..<Self.tagByteCount])
    writeTag(of: text, in: context, into: tag)
    apply(
      UnsafeRawBufferPointer(tag), to: text,
      into: UnsafeMutableRawBufferPointer(rebasing: envelope[Self.tagByteCount...]))
  }

  /// Writes the text of an envelope, which is ``tagByteCount`` bytes shorter; returns whether it was encrypted with
  /// this key in this context. If not, the text is overwritten with zeros.
  public func decrypt(
    _ envelope: UnsafeRawBufferPointer, in context: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard envelope.count >= Self.tagByteCount else { return false }
    precondition(envelope.count == text.count + Self.tagByteCount, "a text has not the length of its envelope")
    let tag = UnsafeRawBufferPointer(rebasing: envelope[..<Self.tagByteCount])
    apply(tag, to: UnsafeRawBufferPointer(rebasing: envelope[Self.tagByteCount...]), into: text)
    return withUnsafeTemporaryAllocation(byteCount: Self.tagByteCount, alignment: 8) { computed in
      writeTag(of: UnsafeRawBufferPointer(text), in: context, into: computed)
      if zip(computed, tag).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 { return true }
      for index in text.indices { text[index] = 0 }
      return false
    }
  }

  /// Writes the keyed hash of the length of the context, the context, and the text.
  private func writeTag(
    of text: UnsafeRawBufferPointer, in context: UnsafeRawBufferPointer, into tag: UnsafeMutableRawBufferPointer
  ) {
    let lengthByteCount = MemoryLayout<UInt64>.size
    withUnsafeTemporaryAllocation(byteCount: lengthByteCount + context.count, alignment: 8) { prefix in
      prefix.storeBytes(of: UInt64(context.count).littleEndian, as: UInt64.self)
      UnsafeMutableRawBufferPointer(rebasing: prefix[lengthByteCount...]).copyMemory(from: context)
      tagKey.keyedHash(into: tag, of: UnsafeRawBufferPointer(prefix), text)
    }
  }

  /// Combines bytes with the key stream that a tag begins: both directions are the same.
  private func apply(
    _ tag: UnsafeRawBufferPointer, to bytes: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer
  ) {
    guard let input = bytes.bound, let output = result.bound, !bytes.isEmpty else { return }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(crypto_stream_xchacha20_NONCEBYTES)) { nonce in
      nonce.initialize(repeating: 0)
      for (index, byte) in tag.enumerated() { nonce[index] = byte }
      cipherKey.withBytes { key in
        guard let nonce = nonce.baseAddress, let key = key.bound else { return }
        // From block 1 on, as in XChaCha20-Poly1305, so that any implementation of it can read an envelope.
        _ = crypto_stream_xchacha20_xor_ic(output, input, UInt64(bytes.count), nonce, 1, key)
      }
    }
  }
}
