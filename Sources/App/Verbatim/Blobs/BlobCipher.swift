// Encrypted blobs: chunks of one size, each in an envelope.
internal import Digests

/// The encryption or decryption of a blob whose bytes come in pieces of any size.
///
/// The content is split into chunks of ``chunkByteCount`` bytes, of which the last is shorter, and may be empty. Each
/// is stored as an envelope whose context is its number.
internal struct BlobCipher: ~Copyable {
  /// The number of bytes of content in each chunk but the last.
  static let chunkByteCount = 1 << 16

  private let key: EnvelopeKey
  private let encrypts: Bool
  /// The bytes of a chunk that is not yet complete, and what it becomes.
  private let (input, output): (UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer)
  private var filled = 0
  /// The number of the next chunk.
  private var number: UInt64 = 0

  private init(_ secret: SecretKey, encrypts: Bool) {
    key = EnvelopeKey(of: secret)
    self.encrypts = encrypts
    let envelopeByteCount = Self.chunkByteCount + EnvelopeKey.tagByteCount
    input = .allocate(byteCount: encrypts ? Self.chunkByteCount : envelopeByteCount, alignment: 8)
    output = .allocate(byteCount: encrypts ? envelopeByteCount : Self.chunkByteCount, alignment: 8)
  }

  init(encryptingWith key: SecretKey) { self.init(key, encrypts: true) }

  init(decryptingWith key: SecretKey) { self.init(key, encrypts: false) }

  deinit {
    input.deallocate()
    output.deallocate()
  }

  /// Adds bytes, and lends what completed chunks become; returns whether all of them were encrypted with this key.
  mutating func add(
    _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(BlobError) -> Void
  ) throws(BlobError) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(input.count - filled))
      UnsafeMutableRawBufferPointer(rebasing: input[filled...]).copyMemory(from: piece)
      filled += piece.count
      rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
      if filled == input.count, try !endChunk(take) { return false }
    }
    return true
  }

  /// Ends the last chunk, as ``add(_:_:)`` does the others: a content without it is no whole one.
  consuming func finish(_ take: (UnsafeRawBufferPointer) throws(BlobError) -> Void) throws(BlobError) -> Bool {
    try endChunk(take)
  }

  private mutating func endChunk(_ take: (UnsafeRawBufferPointer) throws(BlobError) -> Void) throws(BlobError) -> Bool {
    let chunk = UnsafeRawBufferPointer(rebasing: input[..<filled])
    let count = encrypts ? filled + EnvelopeKey.tagByteCount : filled - EnvelopeKey.tagByteCount
    guard count >= 0 else { return false }
    let result = UnsafeMutableRawBufferPointer(rebasing: output[..<count])
    let isWhole = withUnsafeBytes(of: number.littleEndian) { context in
      if !encrypts { return key.decrypt(chunk, in: context, into: result) }
      key.encrypt(chunk, in: context, into: result)
      return true
    }
    (filled, number) = (0, number + 1)
    if isWhole { try take(UnsafeRawBufferPointer(result)) }
    return isWhole
  }
}
