// Detection of repeated append ids in a log.
internal import Digests

/// A check that no append id occurs twice, which keeps eight bytes for each append.
///
/// Ids are remembered by a hash. Only where two hashes are equal is the log read again, for the ids behind them.
package struct AppendIDCheck {
  private var hashes: [UInt64] = []

  package init() {}

  /// Adds the appends of a block.
  package mutating func add(_ block: BlockView) {
    block.forEachAppend { hashes.append(Self.hash($0.id)) }
  }

  /// Returns a sentence that names the first append id that occurs twice; nil when none does.
  ///
  /// `forEachBlock` passes the blocks again to a closure, until it returns false.
  package mutating func repeatedID(_ forEachBlock: ((BlockView) -> Bool) -> Void) -> String? {
    hashes.sort()
    let repeated = Set(zip(hashes, hashes.dropFirst()).filter { $0 == $1 }.map(\.0))
    if repeated.isEmpty { return nil }
    var seen: [AppendID: Position] = [:]
    var sentence: String?
    forEachBlock { block in
      block.forEachAppend { append in
        guard sentence == nil, repeated.contains(Self.hash(append.id)) else { return }
        let position = block.first.advanced(by: append.firstIndex)
        if let first = seen[append.id] {
          sentence =
            "The append id \(append.id) occurs twice, at positions \(first) and \(position): a retry would return "
            + "either receipt."
        }
        seen[append.id] = position
      }
      return sentence == nil
    }
    return sentence
  }

  private static func hash(_ id: AppendID) -> UInt64 { id.withBytes { quickHash($0) } }
}
