// The errors of sealing a log and of checking its seals.
public import EventLog

/// The error of sealing a log or of checking its seals. The log is never changed.
public enum SealError: Error, Sendable {
  /// The log was rewritten or cut off after it was sealed.
  case rewritten(SealDifference)
  /// The seal is of a log with another identity, which is attached.
  case otherLog(Seal, AppendID)
  /// Two seals of one signer contradict each other.
  case contradiction(Seal, Seal)
  /// A seal between this one and earlier ones is missing, or the list of its blocks.
  case missing(before: Seal)
  /// The directory has another seal of the same position, such as that of another signer.
  case otherSeal(path: String, Seal)
  /// The values of the seal are not those of the log.
  case untrue(Seal)
  /// The seal has a signature by the name of a key that the key did not make.
  case forged(Seal, String)
  /// The key has not signed the seal.
  case unsigned(Seal, String)
  /// The log has no events.
  case noEvents
  /// The log is on a server, and no directory for the seals was named.
  case noDirectory
  /// There are no seals at the path, or none of the signer.
  case noSeals(path: String)
  /// The file is not a seal.
  case notASeal(path: String)
  /// The file is not a signing key, or others than its owner can read it.
  case key(path: String, reason: String)
  /// The log could not be read.
  case log(LogError)
  /// The disk or the system failed.
  case storage(path: String, reason: String)
}

extension SealError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .rewritten(let difference): difference.description
    case .otherLog(let seal, let log): "The seal of position \(seal.position) is of the log \(seal.log), not of \(log)."
    case .contradiction(let seal, let earlier):
      "The seal of position \(seal.position), of \(seal.time), contradicts that of position \(earlier.position), of "
        + "\(earlier.time): keep both, since they show that the log was rewritten, and ask the signer."
    case .missing(let seal):
      "The seals before that of position \(seal.position) are missing, which follows position "
        + "\(seal.previousPosition), or the list of its blocks is: get them from the signer."
    case .otherSeal(let path, let seal):
      "\(path) has another seal of position \(seal.position): use a directory of its own for each signer."
    case .untrue(let seal):
      "The seal of position \(seal.position) does not have the values of the log: it is not signed; ask its signer."
    case .forged(let seal, let name):
      "The seal of position \(seal.position) has a signature of “\(name)” that its key did not make: get the seal "
        + "again from its signer."
    case .unsigned(let seal, let name):
      "The seal of position \(seal.position) has no signature of the key of “\(name)”: get it signed, or check it "
        + "without this key."
    case .noEvents: "The log has no events to seal: seal it after the first append."
    case .noDirectory: "The log is on a server, which has no directory for seals: name one."
    case .noSeals(let path):
      "There are no seals at \(path), or none of this signer: name a directory of seals, or a file of them."
    case .notASeal(let path): "\(path) is not a seal: get it again from its signer."
    case .key(let path, let reason): "The key at \(path) cannot be used: \(reason)."
    case .log(let error): error.description
    case .storage(let path, let reason):
      "The seals at \(path) cannot be read or written (\(reason)): check the free space and the permissions."
    }
  }
}
