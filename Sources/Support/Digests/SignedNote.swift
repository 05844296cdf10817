// Signed notes: a text and its signatures, as text.

/// A text with signatures, in the form that transparency logs use: the text, an empty line, and a line for each
/// signature.
///
/// A signature is a line of `—`, the name of the signer, and in Base64 the number of the key and the signature of the
/// text. Further signers add lines. Lines of keys that a reader does not know are kept and ignored.
public struct SignedNote: Hashable, Sendable {
  /// The text, with the end of its last line.
  public let text: String
  private var signatures: [Signature] = []

  fileprivate struct Signature: Hashable {
    let name: String
    let key: UInt32
    let bytes: [UInt8]
  }

  /// The result of looking for a signature.
  public enum Verdict: Hashable, Sendable {
    /// The key signed the text.
    case signed
    /// There is no signature of the key.
    case unsigned
    /// There is a signature of the key, and it is of another text.
    case forged
  }

  /// The number of signatures that a note may have.
  private static let countMax = 100

  /// Creates a note without signatures; nil for a text that does not end with its last line, or has an empty one.
  public init?(_ text: String) {
    guard Self.isText(text) else { return nil }
    self.text = text
  }

  /// Creates a note from its text form; nil when it is none.
  public init?(parsing note: String) {
    var lines = note.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.popLast() == "", let end = lines.lastIndex(of: "") else { return nil }
    let text = lines[..<end].map { $0 + "\n" }.joined()
    guard Self.isText(text), lines.count - end - 1 <= Self.countMax else { return nil }
    self.text = text
    for line in lines[(end + 1)...] {
      guard let signature = Signature(line) else { return nil }
      signatures.append(signature)
    }
    if signatures.isEmpty { return nil }
  }

  private static func isText(_ text: String) -> Bool {
    text.utf8.count > 1 && text.hasSuffix("\n") && !text.hasPrefix("\n") && !text.contains("\n\n")
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" }
  }

  /// Adds the signature of a key, unless it is there.
  public mutating func sign(with key: SigningKey) {
    if verdict(of: key.publicKey) == .signed { return }
    signatures.removeAll { $0.isOf(key.publicKey) }
    signatures.append(
      Signature(name: key.publicKey.name, key: key.publicKey.id, bytes: key.signature(of: text)))
  }

  /// Adds the signatures of a note with the same text, unless they are there.
  package mutating func addSignatures(of other: SignedNote) {
    precondition(other.text == text)
    signatures += other.signatures.filter { !signatures.contains($0) }
  }

  /// Returns whether a key signed the text.
  public func verdict(of key: PublicKey) -> Verdict {
    let own = signatures.filter { $0.isOf(key) }
    if own.isEmpty { return .unsigned }
    return own.allSatisfy { key.verifies($0.bytes, of: text) } ? .signed : .forged
  }

  /// The names of all signers, whose signatures may not have been checked.
  public var signers: [String] { signatures.map(\.name) }
}

extension SignedNote: CustomStringConvertible {
  /// The note as text.
  public var description: String { text + "\n" + signatures.map { "\($0)\n" }.joined() }
}

extension SignedNote.Signature: CustomStringConvertible {
  private static let mark = "— "

  init?(_ line: Substring) {
    let parts = line.dropFirst(Self.mark.count).split(separator: " ", omittingEmptySubsequences: false)
    guard line.hasPrefix(Self.mark), parts.count == 2, PublicKey.isName(String(parts[0])),
      let bytes = Base64.bytes(of: String(parts[1])), bytes.count > 4
    else { return nil }
    self.init(
      name: String(parts[0]), key: bytes[..<4].reduce(0) { $0 << 8 | UInt32($1) }, bytes: Array(bytes.dropFirst(4)))
  }

  func isOf(_ key: PublicKey) -> Bool { self.key == key.id && name == key.name }

  var description: String {
    let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: key >> UInt32($0)) }
    return Self.mark + name + " " + Base64.text(of: number + bytes)
  }
}
