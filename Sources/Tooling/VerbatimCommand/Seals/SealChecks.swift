// The comparison of a log with seals, as a part of its verification.
internal import Digests
internal import EventLog
internal import Verbatim

/// The seals that a log is compared with, and the keys that must have signed them.
struct SealChecks {
  /// The directory or the file of the seals; nil for none.
  var path: String?
  /// The public keys, or files with them.
  var keys: [String] = []

  static var parameters: [Parameter<Self>] {
    [
      .option("seals", "PATH", "Compares the log with the seals in this directory or file, too.", \.path),
      .options("public-key", "KEY", "A key, or a file with it, that must have signed each seal; repeatable.", \.keys),
    ]
  }

  /// Returns what contradicts the options, in a sentence.
  func contradiction() -> String? {
    if path == nil, !keys.isEmpty { return "--public-key is given without --seals: name the seals that it signed." }
    if path != nil, keys.isEmpty {
      return "--public-key is missing: a seal proves nothing without the key of its signer."
    }
    return nil
  }

  /// The arguments that state the options again.
  var arguments: [String] { (path.map { ["--seals", $0] } ?? []) + keys.flatMap { ["--public-key", $0] } }

  /// Compares a log, whose chain was verified, with the seals; returns what was compared, or what differs.
  func compare(_ log: any Log) throws(Failure) -> Result<String, SealFinding> {
    let directory = SealDirectory(at: path ?? "")
    do throws(Failure) {
      let keys = try keys.map { text throws(Failure) in
        try sealed { () throws(SealError) in try PublicKey.read(text) }
      }
      let seals = try sealed { () throws(SealError) in try directory.check(log, signedBy: keys) }
      let newest = seals.last.map { "position \($0.position), of \($0.time)" } ?? ""
      let names = keys.map { "“\($0.name)”" }.joined(separator: " and ")
      return .success("\(counted(seals.count, "seal")) signed by \(names), the newest of \(newest)")
    } catch {
      guard error.code == .refused, let message = error.message else { throw error }
      return .failure(SealFinding(description: message))
    }
  }
}

/// A difference between a log and its seals, in a sentence.
struct SealFinding: Error {
  let description: String
}
