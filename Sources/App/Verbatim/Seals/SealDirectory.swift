// A directory of seals: a file for each, and the list of the blocks since the seal before.
package import Digests
package import EventLog
internal import Errors
internal import Files

/// A directory with the seals of one log.
///
/// The seal of position 1200 is the file `1200.seal`, and the list of its blocks `1200.blocks`.
package struct SealDirectory: Sendable {
  package let path: String

  package init(at path: String) { self.path = FileSystem.resolved(path) }

  /// The directory of the seals of a workspace or a log.
  package init(ofLogAt path: String) { self.init(at: path + "/seals") }

  /// Returns the seals in order of position; none where there is no directory. The path can be that of a file, with any
  /// number of seals.
  package func seals() throws(SealError) -> [Seal] {
    if FileSystem.kind(at: path) == .file { return try seals(inFile: path).sorted { $0.position < $1.position } }
    let positions = try storing { () throws(FileError) in
      try FileSystem.isDirectory(at: path) ? FileSystem.names(in: path).compactMap(Self.position(ofFile:)) : []
    }
    var seals: [Seal] = []
    for position in positions.sorted() { seals.append(try seal(of: position)) }
    return seals
  }

  private func seal(of position: Position) throws(SealError) -> Seal {
    let file = sealPath(position)
    let read = try seals(inFile: file)
    guard read.count == 1, read[0].position == position else { throw .notASeal(path: file) }
    return read[0]
  }

  private func seals(inFile file: String) throws(SealError) -> [Seal] {
    var texts: [[Substring]] = []
    for line in try text(of: file).split(separator: "\n", omittingEmptySubsequences: false) {
      if line == Seal.firstLine { texts.append([]) }
      if texts.isEmpty {
        if line.isEmpty { continue }
        throw .notASeal(path: file)
      }
      texts[texts.count - 1].append(line)
    }
    var seals: [Seal] = []
    for var lines in texts {
      while lines.last == "" { lines.removeLast() }
      guard let seal = Seal(lines.map { $0 + "\n" }.joined()) else { throw .notASeal(path: file) }
      seals.append(seal)
    }
    return seals
  }

  /// Returns the list of the blocks of a seal; nil where it is missing or not that of the seal.
  package func list(of seal: Seal) -> SealedBlocks? {
    guard let text = try? text(of: listPath(seal.position)), let list = SealedBlocks(text), list.hash == seal.listHash
    else { return nil }
    return list
  }

  /// Stores a seal and the list of its blocks, durably; replaces the file of a seal of the same position.
  package func store(_ seal: Seal, _ list: SealedBlocks?) throws(SealError) {
    try storing { () throws(FileError) in
      try FileSystem.makeDirectory(path)
      if let list { try FileSystem.replace(listPath(seal.position), with: "\(list)") }
      try FileSystem.replace(sealPath(seal.position), with: "\(seal)")
      try FileSystem.syncPath(to: path)
    }
  }

  /// Signs a seal of another signer and stores it; the signatures of a copy that is there stay: they are what another
  /// witness remembers.
  fileprivate func sign(_ seal: Seal, _ list: SealedBlocks?, with key: SigningKey) throws(SealError) -> Seal {
    var seal = seal
    if FileSystem.kind(at: sealPath(seal.position)) == .file {
      let kept = try self.seal(of: seal.position)
      guard seal.addSignatures(of: kept) else { throw .otherSeal(path: path, kept) }
    }
    seal.sign(with: key)
    try store(seal, list)
    return seal
  }

  private func sealPath(_ position: Position) -> String { "\(path)/\(position).seal" }

  private func listPath(_ position: Position) -> String {
    // A file of seals may be beside the lists.
    let directory = FileSystem.kind(at: path) == .file ? FileSystem.parent(of: path) : path
    return "\(directory)/\(position).blocks"
  }

  /// Returns whether a file of the directory is a seal or a list of blocks, by its name.
  package static func isFile(_ name: String) -> Bool { name.hasSuffix(".seal") || name.hasSuffix(".blocks") }

  private static func position(ofFile name: String) -> Position? {
    guard name.hasSuffix(".seal"), let value = UInt64(name.dropLast(5)), "\(value).seal" == name else { return nil }
    return Position(rawValue: value)
  }

  private func text(of file: String) throws(SealError) -> String {
    let bytes = try storing { () throws(FileError) in try FileSystem.bytes(of: file) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notASeal(path: file) }
    return text
  }

  private func storing<R>(_ body: () throws(FileError) -> R) throws(SealError) -> R {
    try rethrow(
      body(),
      as: { (error: FileError) in
        SealError.storage(path: path, reason: error.unexpectedFile?.description ?? error.description)
      })
  }
}

// MARK: Sealing

extension SealDirectory {
  /// Seals the end of a log, after it was compared with the earlier seals of the key; returns the newest seal of the
  /// key, which is an earlier one where nothing was appended since.
  package func seal(_ log: any Log, with key: SigningKey, at time: Timestamp) throws(SealError) -> Seal {
    let all = try seals()
    let own = try signed(all, by: key.publicKey)
    try compare(log, with: own)
    let unsigned = try ofLog { () throws(LogError) in
      let last = try own.last.flatMap { seal throws(LogError) in try log.head(of: seal) }
      return try log.unsignedSeal(after: last ?? Head(of: log.genesis), at: time)
    }
    guard let (next, list) = unsigned else {
      guard let last = own.last else { throw .noEvents }
      return last
    }
    if let other = all.first(where: { $0.position == next.position }) {
      return try countersign(other, of: log, with: key)
    }
    var seal = next
    seal.sign(with: key)
    try store(seal, list)
    return seal
  }

  /// Signs the seals of another signer that are newer than the newest one of the key in this directory, after all were
  /// compared with the log; returns those that were signed.
  package func witness(
    _ log: any Log, sealedIn source: SealDirectory, by sealer: PublicKey, with key: SigningKey
  ) throws(SealError) -> [Seal] {
    let own = try signed(seals(), by: key.publicKey)
    try compare(log, with: own)
    let offered = try source.offered(by: sealer)
    try source.compare(log, with: offered)
    var signed: [Seal] = []
    for seal in offered where seal.position > own.last?.position ?? .zero {
      signed.append(try countersign(seal, of: log, with: key))
    }
    return signed
  }

  /// Signs the seals of another signer without the log, where each agrees with all that the key signed before; returns
  /// those that were signed.
  ///
  /// It shows that the signer has made no two statements that contradict each other, and not that the statements are
  /// those of the log.
  package func witness(
    sealsIn source: SealDirectory, by sealer: PublicKey, with key: SigningKey
  ) throws(SealError) -> [Seal] {
    var own = try signed(seals(), by: key.publicKey)
    var signed: [Seal] = []
    let offered = try source.offered(by: sealer)
    // Of the earlier ones each agrees with the next: the last of them comes first.
    let start = own.first.flatMap { first in offered.firstIndex { $0.position >= first.position } } ?? 0
    for seal in offered[start...] + offered[..<start].reversed() {
      let isKnown = own.contains { $0.position == seal.position && $0.hash == seal.hash }
      if let problem = seal.problem(beside: own, { source.list(of: $0) ?? list(of: $0) }) { throw problem }
      if isKnown { continue }
      let seal = try sign(seal, source.list(of: seal), with: key)
      own.append(seal)
      own.sort { $0.position < $1.position }
      signed.append(seal)
    }
    return signed
  }

  private func offered(by sealer: PublicKey) throws(SealError) -> [Seal] {
    let offered = try signed(seals(), by: sealer)
    if offered.isEmpty { throw .noSeals(path: path) }
    return offered
  }

  /// Signs a seal of another signer whose values are those of the log, and stores it with the list of its blocks.
  private func countersign(_ seal: Seal, of log: any Log, with key: SigningKey) throws(SealError) -> Seal {
    let list = try ofLog { () throws(LogError) -> SealedBlocks? in
      guard let previous = try log.head(before: seal), previous.hash == seal.previousHash else { return nil }
      let (list, end) = try log.sealedBlocks(after: previous, upTo: seal.position)
      return end.hash == seal.hash ? list : nil
    }
    guard let list, seal.log == log.genesis.id, seal.listHash == list.hash else { throw .untrue(seal) }
    return try sign(seal, list, with: key)
  }

  /// Checks that a log has the events of all seals, and that all keys signed each of them; returns the seals.
  package func check(_ log: any Log, signedBy keys: [PublicKey]) throws(SealError) -> [Seal] {
    let seals = try seals()
    if seals.isEmpty { throw .noSeals(path: path) }
    for seal in seals {
      for key in keys where try !seal.isSigned(by: key) { throw .unsigned(seal, key.name) }
    }
    try compare(log, with: seals)
    return seals
  }

  /// Compares a log with seals of it.
  private func compare(_ log: any Log, with seals: [Seal]) throws(SealError) {
    if let seal = seals.first(where: { $0.log != log.genesis.id }) { throw .otherLog(seal, log.genesis.id) }
    let difference = try ofLog { () throws(LogError) in try log.difference(from: seals) { list(of: $0) } }
    if let difference { throw .rewritten(difference) }
  }

  /// Returns the seals that a key signed; throws where a signature of the key is not one.
  private func signed(_ seals: [Seal], by key: PublicKey) throws(SealError) -> [Seal] {
    var own: [Seal] = []
    for seal in seals where try seal.isSigned(by: key) { own.append(seal) }
    return own
  }

  private func ofLog<R>(_ body: () throws(LogError) -> R) throws(SealError) -> R {
    try rethrow(body(), as: SealError.log)
  }
}

extension Seal {
  /// Returns whether a key signed the seal; throws where a signature of the key is not one.
  fileprivate func isSigned(by key: PublicKey) throws(SealError) -> Bool {
    switch verdict(of: key) {
    case .signed: return true
    case .unsigned: return false
    case .forged: throw .forged(self, key.name)
    }
  }

  /// Returns why the seal contradicts others of its log, in order of position, or does not show that it agrees with
  /// them; nil otherwise.
  fileprivate func problem(beside others: [Seal], _ list: (Seal) -> SealedBlocks?) -> SealError? {
    guard let first = others.first else { return nil }
    if log != first.log { return .otherLog(self, first.log) }
    if let same = others.first(where: { $0.position == position }) {
      return same.hash == hash ? nil : .contradiction(self, same)
    }
    // The seals before the present one agree with each other, and so do those after it: one on each side is enough.
    if position < first.position {
      if first.previousPosition > position { return .missing(before: first) }
    } else if previousPosition > .zero, !others.contains(where: { $0.position == previousPosition }) {
      return .missing(before: self)
    }
    let blocks = list(self)
    for other in others {
      let (earlier, later) = other.position < position ? (other, self) : (self, other)
      if later.previousPosition > earlier.position { continue }
      if later.previousPosition == earlier.position {
        if later.previousHash != earlier.hash { return .contradiction(later, earlier) }
        continue
      }
      guard let blocks = other.position < position ? blocks : list(other) else { return .missing(before: later) }
      if !blocks.contains(earlier) { return .contradiction(later, earlier) }
    }
    return nil
  }
}
