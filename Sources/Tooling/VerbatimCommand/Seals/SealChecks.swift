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

  /// Compares the log at a path, whose chain was verified, with the seals; returns what was compared, or what differs.
  func compare(logAt logPath: String, in context: Context) throws(Failure) -> Result<String, SealError> {
    let log = try openLog(logPath, .reading, in: context)
    defer { log.close() }
    do throws(SealError) {
      let keys = try keys.map { text throws(SealError) in try PublicKey.read(text) }
      let seals = try SealDirectory(at: path ?? "").check(log, signedBy: keys)
      let newest = seals.last.map { "position \($0.position), of \($0.time)" } ?? ""
      let names = keys.map { "“\($0.name)”" }.joined(separator: " and ")
      return .success("\(counted(seals.count, "seal")) signed by \(names), the newest of \(newest)")
    } catch {
      if error.isDisagreement { return .failure(error) }
      throw Failure(error)
    }
  }
}
