// The number of the last durable transaction of a log, which all processes of this machine see.
internal import Digests
internal import EventLog
internal import Files

/// The file `log/durable`: the last transaction whose pages and checksum are on the disk, and the log's end as of it.
///
/// It is valid for one boot of the system and one file. Only the holder of the writer lock writes it.
internal final class DurableMark: Sendable {
  /// The last durable transaction, and the position of the last block as of it.
  struct State: Hashable {
    var transaction: Int
    var position: Position
  }

  /// The relation of a mark to the file of its log and to this boot of the system.
  enum Validity { case valid, ofEarlierBoot, invalid }

  /// The number that the checksums of the log's file have.
  let fileNumber: UInt64
  private let file: SharedFile

  private static let byteCount = 64
  /// Offsets of the durable transaction, of the failed one, and of what the mark is valid for.
  private enum Offset { static let (state, failed, scope) = (0, 24, 32) }

  private init(_ file: SharedFile, fileNumber: UInt64) { (self.file, self.fileNumber) = (file, fileNumber) }

  /// Opens the mark of a log whose file has a number, with its validity; nil when there is none.
  static func open(
    in directory: String, of fileNumber: UInt64?, isWritable: Bool
  ) throws(FileError) -> (mark: DurableMark, Validity)? {
    guard let fileNumber,
      let file = try SharedFile(path(directory), byteCount: byteCount, isWritable: isWritable)
    else { return nil }
    let mark = DurableMark(file, fileNumber: fileNumber)
    let stored = (0..<3).map { file.word(at: Offset.scope + 8 * $0) }
    guard stored == scope(boot: stored[0], fileNumber) else { return (mark, .invalid) }
    return (mark, stored[0] == (try boot(directory)) ? .valid : .ofEarlierBoot)
  }

  /// Creates the mark of a log for this boot, or overwrites one.
  static func create(in directory: String, _ state: State, of fileNumber: UInt64) throws(FileError) {
    let words = words(state) + [0] + scope(boot: try boot(directory), fileNumber)
    try SharedFile.create(path(directory), with: words + [0], in: directory)
  }

  /// Removes the mark of a log.
  static func remove(in directory: String) throws(FileError) { try FileSystem.remove(path(directory)) }

  /// Returns a number for the checksums of a file that has none.
  static func newNumber(of directory: String) throws(FileError) -> UInt64 {
    // Its inode and times tell it from all others, and from those that it may become a copy of.
    hash(try FileSystem.bootAndDevice(of: directory) + (FileSystem.identity(of: directory + "/data.mdb") ?? ""))
  }

  static func path(_ directory: String) -> String { directory + "/durable" }

  /// The last durable transaction; nil when the file is damaged.
  var state: State? {
    // The writer may be between two of the words.
    for _ in 0..<1 << 16 {
      let (transaction, position) = (file.word(at: Offset.state), file.word(at: Offset.state + 8))
      let check = file.word(at: Offset.state + 16)
      if check == Self.check(transaction, position) {
        return Int(exactly: transaction).map { State(transaction: $0, position: Position(rawValue: position)) }
      }
    }
    return nil
  }

  /// The transaction whose sync failed; nil for none.
  var failed: Int? {
    let number = file.word(at: Offset.failed)
    return number == 0 ? nil : Int(clamping: number)
  }

  /// Records that a transaction is durable.
  func confirm(_ state: State) throws(FileError) { try file.write(Self.words(state), at: Offset.state) }

  /// Records that the sync of a transaction failed.
  func fail(_ transaction: Int) throws(FileError) { try file.write([UInt64(transaction)], at: Offset.failed) }

  /// Makes the mark itself durable.
  func sync() throws(FileError) { try file.sync() }

  private static func words(_ state: State) -> [UInt64] {
    let (transaction, position) = (UInt64(state.transaction), state.position.rawValue)
    return [transaction, position, check(transaction, position)]
  }

  private static func check(_ transaction: UInt64, _ position: UInt64) -> UInt64 {
    withUnsafeBytes(of: (transaction.littleEndian, position.littleEndian)) { quickHash($0) }
  }

  private static func boot(_ directory: String) throws(FileError) -> UInt64 {
    hash(try FileSystem.bootAndDevice(of: directory))
  }

  private static func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { quickHash(UnsafeRawBufferPointer($0)) }
  }

  /// Returns what a mark is valid for: a boot of the system and a file, with their check.
  private static func scope(boot: UInt64, _ fileNumber: UInt64) -> [UInt64] {
    [boot, fileNumber, check(boot, fileNumber)]
  }
}
