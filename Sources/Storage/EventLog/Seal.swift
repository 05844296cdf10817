// Seals: signed statements of where a log ends, by which a later rewrite of it is proved.
public import Digests

/// A signed statement that a log had certain events at a time: its identity, a position and the chain hash there.
///
/// The chain hash covers all events up to the position. A log that has it at this position begins with the same
/// events; a log that was rewritten has another, even if all hashes after the change were computed anew.
public struct Seal: Hashable, Sendable {
  /// The identity of the log.
  public let log: AppendID
  /// The position of the last sealed event.
  public let position: Position
  /// The chain hash after that event.
  public let hash: ChainHash
  /// The time at which the seal was made, by the clock of the signer.
  public let time: Timestamp
  /// The position of the seal before, or 0.
  public let previousPosition: Position
  /// The chain hash of the seal before, or that of the genesis.
  public let previousHash: ChainHash
  /// The hash of the list of the blocks since the seal before.
  public let listHash: ChainHash
  private var note: SignedNote

  internal init(
    log: AppendID, _ end: Head, after previous: Head, _ list: SealedBlocks, at time: Timestamp
  ) {
    (self.log, position, hash, self.time) = (log, end.position, end.hash, time)
    (previousPosition, previousHash, listHash) = (previous.position, previous.hash, list.hash)
    let text = Self.text(log, position, hash, previous.position, previous.hash, list.hash, time)
    guard let note = SignedNote(text) else { preconditionFailure("the text of a seal is no note: \(text)") }
    self.note = note
  }

  /// Creates a seal from its text; nil when it is none.
  public init?(_ text: String) {
    guard let note = SignedNote(parsing: text) else { return nil }
    let values = note.text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).last ?? "" }
    guard values.count == 8, let log = AppendID(String(values[1])), let position = Position(text: values[2]),
      let hash = ChainHash(digits: values[3]), let previousPosition = Position(text: values[4]),
      let previousHash = ChainHash(digits: values[5]), let listHash = ChainHash(digits: values[6]),
      let time = Timestamp(String(values[7])), previousPosition < position
    else { return nil }
    (self.log, self.position, self.hash, self.time) = (log, position, hash, time)
    (self.previousPosition, self.previousHash, self.listHash) = (previousPosition, previousHash, listHash)
    self.note = note
    // Byte for byte: other texts have the same values.
    guard
      note.text.utf8.elementsEqual(
        Self.text(log, position, hash, previousPosition, previousHash, listHash, time).utf8)
    else { return nil }
  }

  /// The first line of the text.
  package static let firstLine = "verbatim seal"

  private static func text(
    _ log: AppendID, _ position: Position, _ hash: ChainHash, _ previousPosition: Position, _ previousHash: ChainHash,
    _ listHash: ChainHash, _ time: Timestamp
  ) -> String {
    """
    \(firstLine)
    log \(log)
    position \(position)
    hash \(hash)
    previous-position \(previousPosition)
    previous-hash \(previousHash)
    blocks \(listHash)
    time \(time)

    """
  }

  /// Signs the seal, unless the key has signed it.
  public mutating func sign(with key: SigningKey) { note.sign(with: key) }

  /// Adds the signatures of a seal that is the same but for them; returns whether it is.
  package mutating func addSignatures(of other: Seal) -> Bool {
    guard note.text == other.note.text else { return false }
    note.addSignatures(of: other.note)
    return true
  }

  /// Returns whether a key signed the seal.
  public func verdict(of key: PublicKey) -> SignedNote.Verdict { note.verdict(of: key) }

  /// The names of all signers, whose signatures may not have been checked.
  public var signers: [String] { note.signers }
}

extension Seal: CustomStringConvertible {
  /// The seal as text, which can be printed, mailed and published: its values, an empty line, a line for each
  /// signature.
  public var description: String { note.description }
}

/// The blocks between two seals, in order: the position of each one's last event and the beginning of its chain hash.
///
/// A ``Seal`` has the hash of the list. With the list, the first block that differs is found; without it, only the two
/// seals between which it is.
public struct SealedBlocks: Hashable, Sendable {
  internal struct Block: Hashable, Sendable {
    let last: Position
    let hash: UInt64
  }

  internal private(set) var blocks: [Block] = []

  internal init() {}

  /// Creates a list from its text; nil when it is none.
  public init?(_ text: String) {
    guard text.isEmpty || text.hasSuffix("\n") else { return nil }
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      guard parts.count == 2, let last = Position(text: Substring(parts[0])),
        parts[1].count == 16, let hash = UInt64(Substring(parts[1]), radix: 16), last > (blocks.last?.last ?? .zero)
      else { return nil }
      blocks.append(Block(last: last, hash: hash))
    }
    guard text.utf8.elementsEqual(description.utf8) else { return nil }
  }

  internal mutating func add(_ block: Head) {
    blocks.append(Block(last: block.position, hash: Self.beginning(of: block.hash)))
  }

  /// Returns whether the list has the block that a seal ends with.
  package func contains(_ seal: Seal) -> Bool {
    blocks.contains { $0.last == seal.position && $0.hash == Self.beginning(of: seal.hash) }
  }

  internal static func beginning(of hash: ChainHash) -> UInt64 {
    hash.withBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
  }

  /// The hash of the text.
  public var hash: ChainHash {
    var hash = RunningHash()
    for block in blocks { Array(block.line.utf8).withUnsafeBytes { hash.add($0) } }
    return hash.finish()
  }
}

extension SealedBlocks: CustomStringConvertible {
  /// The list as text: a line for each block.
  public var description: String { blocks.map(\.line).joined() }
}

extension SealedBlocks.Block {
  fileprivate var line: String {
    let digits = String(hash, radix: 16)
    return "\(last) \(String(repeating: "0", count: 16 - digits.count))\(digits)\n"
  }
}

extension Position {
  fileprivate init?(text: Substring) {
    guard let value = UInt64(text), String(value) == text else { return nil }
    self.init(rawValue: value)
  }
}

extension ChainHash {
  fileprivate init?(digits: Substring) {
    var bytes: [UInt8] = []
    let digits = Array(digits.utf8)
    guard digits.count == 2 * Self.byteCount else { return nil }
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = hexadecimalValue(digits[index]), let low = hexadecimalValue(digits[index + 1]) else {
        return nil
      }
      bytes.append(UInt8(high << 4 | low))
    }
    guard let hash = bytes.withUnsafeBytes({ ChainHash(bytes: $0) }) else { return nil }
    self = hash
  }
}
