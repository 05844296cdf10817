// What may be attached.
public import Chat

/// What may hang on a message: how much, how large, of which kinds.
///
/// Names of files and MIME types are compared without case. Where there is a list of what is allowed, all else is not;
/// what is blocked is not, even if it is allowed. The rules of the workspace hold besides.
public struct AttachmentLimits: Hashable, Sendable {
  /// How many things may hang on a message.
  public var countMax = 10
  /// How many bytes a file may have.
  public var byteCountMax: UInt64 = 100 << 20
  /// What the names of files may end with, without the dot; nil for anything.
  public var allowedExtensions: [UserText]?
  /// What they may not end with.
  public var blockedExtensions: [UserText] = []
  /// MIME types that are allowed, such as `image/png`, or `image/*` for all of a kind; nil for any.
  public var allowedMIMETypes: [UserText]?
  /// MIME types that are not.
  public var blockedMIMETypes: [UserText] = []

  /// Ten things of 100 MiB of any kind.
  public init() {}

  func check(_ attachment: Attachment, besides count: Int, under limits: Limits) throws(ComposerRefusal) {
    let file = attachment.fileName
    let countMax = min(countMax, limits.attachmentsMax)
    if count >= countMax { throw .tooManyAttachments(file: file, max: countMax) }
    let byteCountMax = min(byteCountMax, limits.uploadByteCountMax)
    if let size = attachment.byteCount, size > byteCountMax {
      throw .fileTooLarge(file: file, byteCount: size, max: byteCountMax)
    }
    guard attachment.isUpload else { return }
    let end = file.fileExtension
    if !isAllowed(end, by: allowedExtensions, except: blockedExtensions, matches: { $0 == $1 }) {
      throw .fileExtension(file: file, extension: UserText(end))
    }
    let type = attachment.mimeType?.string.lowercased() ?? ""
    if !isAllowed(type, by: allowedMIMETypes, except: blockedMIMETypes, matches: isMIMEType) {
      throw .mimeType(file: file, type: UserText(type.isEmpty ? "unknown" : type))
    }
  }
}

private func isAllowed(
  _ name: String, by allowed: [UserText]?, except blocked: [UserText], matches: (String, String) -> Bool
) -> Bool {
  if blocked.contains(where: { matches(name, $0.string.lowercased()) }) { return false }
  return allowed.map { $0.contains { matches(name, $0.string.lowercased()) } } ?? true
}

/// Whether a type is another, or of the kind of one such as `image/*`; what follows a semicolon says no more of it.
private func isMIMEType(_ type: String, _ pattern: String) -> Bool {
  let bare = type.prefix { $0 != ";" && $0 != " " }
  return pattern.hasSuffix("/*") ? bare.hasPrefix(pattern.dropLast()) : bare == pattern
}

extension UserText {
  /// What the name of a file ends with behind its last dot, in small letters; nothing where it has none.
  fileprivate var fileExtension: String {
    guard let dot = string.lastIndex(of: "."), dot > string.startIndex else { return "" }
    return string[string.index(after: dot)...].lowercased()
  }
}
