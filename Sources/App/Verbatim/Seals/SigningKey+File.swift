// Files of signing keys.
public import Digests
internal import Errors
internal import Files

extension SigningKey {
  /// Reads a signing key from a file that only its owner can read.
  public static func read(from path: String) throws(SealError) -> SigningKey {
    let text = try ofFile(path) { () throws(FileError) in
      if FileSystem.isReadableByOthers(path) { return nil as [UInt8]? }
      return try FileSystem.bytes(of: path)
    }
    guard let text else {
      throw .key(path: path, reason: "others than its owner can read it, which `chmod 600` corrects")
    }
    guard let line = String(validating: text, as: UTF8.self), let key = SigningKey(line.withoutLineEnd) else {
      throw .key(path: path, reason: "it is not a signing key, which `verbatim seal-key` creates")
    }
    return key
  }

  /// Writes the key to a new file that only its owner can read.
  public func write(to path: String) throws(SealError) {
    try Self.ofFile(path) { () throws(FileError) in try FileSystem.create(path, with: secretText + "\n") }
  }

  private static func ofFile<R>(_ path: String, _ body: () throws(FileError) -> R) throws(SealError) -> R {
    try rethrow(body(), as: { (error: FileError) in SealError.key(path: path, reason: error.description) })
  }
}

extension PublicKey {
  /// Reads a public key from its text, or from a file with it.
  public static func read(_ textOrPath: String) throws(SealError) -> PublicKey {
    if let key = PublicKey(textOrPath) { return key }
    guard let bytes = try? FileSystem.bytes(of: textOrPath), let text = String(validating: bytes, as: UTF8.self),
      let key = PublicKey(text.withoutLineEnd)
    else { throw .key(path: textOrPath, reason: "it is neither a public key nor a file with one") }
    return key
  }
}

extension String {
  /// The text without a line feed at its end.
  fileprivate var withoutLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
