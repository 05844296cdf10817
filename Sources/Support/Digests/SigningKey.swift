// Keys for signatures: Ed25519, in the text forms of signed notes.
internal import CSodium

/// A key that makes signatures: the secret half of a ``PublicKey``.
///
/// Its memory is overwritten when it is released.
public final class SigningKey: Sendable {
  /// The public half, by which signatures are checked.
  public let publicKey: PublicKey
  // Safe because it is written only before the initialiser returns.
  private nonisolated(unsafe) let secret: UnsafeMutablePointer<UInt8>

  private static let prefix = "PRIVATE+KEY+"
  private static let seedByteCount = Int(crypto_sign_ed25519_SEEDBYTES)

  /// Creates a key with new random bytes; nil for a name that ``PublicKey/isName(_:)`` refuses.
  public convenience init?(named name: String) {
    precondition(ChainHash.isReady, "libsodium cannot be initialised")
    var seed = [UInt8](repeating: 0, count: Self.seedByteCount)
    randombytes_buf(&seed, seed.count)
    defer { sodium_memzero(&seed, seed.count) }
    self.init(named: name, seed: seed)
  }

  /// Creates a key from its text form; nil when it is none.
  public convenience init?(_ text: String) {
    guard text.hasPrefix(Self.prefix), let parts = KeyText(text.dropFirst(Self.prefix.count)) else { return nil }
    self.init(named: parts.name, seed: parts.bytes)
    guard publicKey.id == parts.id else { return nil }
  }

  private init?(named name: String, seed: [UInt8]) {
    guard PublicKey.isName(name), seed.count == Self.seedByteCount else { return nil }
    secret = .allocate(capacity: Int(crypto_sign_ed25519_SECRETKEYBYTES))
    var bytes = [UInt8](repeating: 0, count: PublicKey.byteCount)
    crypto_sign_ed25519_seed_keypair(&bytes, secret, seed)
    publicKey = PublicKey(name: name, bytes: bytes)
  }

  deinit {
    sodium_memzero(secret, Int(crypto_sign_ed25519_SECRETKEYBYTES))
    secret.deallocate()
  }

  /// The secret text form: `PRIVATE+KEY+`, the name, the key's number and the bytes in Base64, separated by `+`.
  public var secretText: String {
    let seed = Array(UnsafeBufferPointer(start: secret, count: Self.seedByteCount))
    return Self.prefix + KeyText(name: publicKey.name, id: publicKey.id, bytes: seed).description
  }

  /// Returns the signature of a text.
  internal func signature(of text: String) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_BYTES))
    let bytes = Array(text.utf8)
    crypto_sign_ed25519_detached(&signature, nil, bytes, UInt64(bytes.count), secret)
    return signature
  }
}

/// A key that checks signatures, with the name of the person or the machine that signs.
public struct PublicKey: Hashable, Sendable {
  /// The name of the signer, as it is in each signature.
  public let name: String
  internal let bytes: [UInt8]
  /// The number of the key: the first four bytes of a SHA-256 of its name and its bytes.
  internal let id: UInt32

  static let byteCount = Int(crypto_sign_ed25519_PUBLICKEYBYTES)

  /// Creates a key from its text form; nil when it is none.
  public init?(_ text: String) {
    guard let parts = KeyText(text[...]), parts.bytes.count == Self.byteCount, Self.isName(parts.name) else {
      return nil
    }
    self.init(name: parts.name, bytes: parts.bytes)
    guard id == parts.id else { return nil }
  }

  internal init(name: String, bytes: [UInt8]) {
    (self.name, self.bytes) = (name, bytes)
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    let input = Array(name.utf8) + [UInt8(ascii: "\n"), KeyText.ed25519] + bytes
    crypto_hash_sha256(&hash, input, UInt64(input.count))
    id = hash[..<4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Returns whether a text can name a signer: it is not empty, and has no `+`, no space and no control character.
  public static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { $0 != "+" && $0.value >= 0x20 && !$0.properties.isWhitespace }
  }

  /// Returns whether this key made the signature of a text.
  internal func verifies(_ signature: [UInt8], of text: String) -> Bool {
    guard signature.count == Int(crypto_sign_ed25519_BYTES) else { return false }
    let text = Array(text.utf8)
    return crypto_sign_ed25519_verify_detached(signature, text, UInt64(text.count), bytes) == 0
  }
}

extension PublicKey: CustomStringConvertible {
  /// The text form: the name, the key's number and the bytes in Base64, separated by `+`.
  public var description: String { KeyText(name: name, id: id, bytes: bytes).description }
}

/// The parts of the text form that both halves of a key have.
private struct KeyText: CustomStringConvertible {
  /// The byte before the bytes of an Ed25519 key.
  static let ed25519: UInt8 = 1

  let name: String
  let id: UInt32
  let bytes: [UInt8]

  init(name: String, id: UInt32, bytes: [UInt8]) { (self.name, self.id, self.bytes) = (name, id, bytes) }

  init?(_ text: Substring) {
    // The Base64 digits may contain a `+`.
    let parts = text.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].utf8.count == 8, parts[1].allSatisfy(\.isLowercaseHexadecimal),
      let id = UInt32(parts[1], radix: 16), let bytes = Base64.bytes(of: String(parts[2])),
      bytes.first == Self.ed25519
    else { return nil }
    self.init(name: String(parts[0]), id: id, bytes: Array(bytes.dropFirst()))
  }

  var description: String {
    let digits = String(id, radix: 16)
    let number = String(repeating: "0", count: 8 - digits.count) + digits
    return "\(name)+\(number)+\(Base64.text(of: [Self.ed25519] + bytes))"
  }
}

extension Character {
  fileprivate var isLowercaseHexadecimal: Bool { ("0"..."9").contains(self) || ("a"..."f").contains(self) }
}

/// Bytes as text of 64 letters, with padding.
internal enum Base64 {
  private static let variant = sodium_base64_VARIANT_ORIGINAL

  /// Returns the text of bytes.
  static func text(of bytes: [UInt8]) -> String {
    let count = (bytes.count + 2) / 3 * 4
    var text = [CChar](repeating: 0, count: count + 1)
    sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the bytes of a text; nil when ``text(of:)`` would not produce it.
  static func bytes(of text: String) -> [UInt8]? {
    let digits = text.utf8.map { CChar(truncatingIfNeeded: $0) }
    var bytes = [UInt8](repeating: 0, count: digits.count)
    var count = 0
    let failure = sodium_base642bin(&bytes, bytes.count, digits, digits.count, nil, &count, nil, variant)
    return failure == 0 ? Array(bytes[..<count]) : nil
  }
}
