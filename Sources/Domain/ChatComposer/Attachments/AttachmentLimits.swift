// The limits of attachments.
internal import Chat

/// The limits of attachments: number, size and file types.
///
/// File names and MIME types are compared ignoring case. If a list of allowed values is given, all others are refused;
/// blocked values are refused even if allowed. The rules of the workspace apply as well.
public struct AttachmentLimits: Hashable, Sendable {
  /// The maximum number of attachments of a message.
  public var countMax = 10
  /// The maximum number of bytes of a file.
  public var byteCountMax: UInt64 = 100 << 20
  /// The allowed file extensions, without the dot; nil for any.
  public var allowedExtensions: [String]?
  /// The blocked file extensions.
  public var blockedExtensions: [String] = []
  /// The allowed MIME types, such as `image/png` or `image/*`; nil for any.
  public var allowedMIMETypes: [String]?
  /// The blocked MIME types.
  public var blockedMIMETypes: [String] = []

  /// Creates the default limits: ten attachments of at most 100 MiB of any type.
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
  _ name: String, by allowed: [String]?, except blocked: [String], matches: (String, String) -> Bool
) -> Bool {
  if blocked.contains(where: { matches(name, $0.lowercased()) }) { return false }
  return allowed.map { $0.contains { matches(name, $0.lowercased()) } } ?? true
}

/// Whether a MIME type matches a type or a pattern such as `image/*`; parameters after a semicolon are ignored.
private func isMIMEType(_ type: String, _ pattern: String) -> Bool {
  let bare = type.prefix { $0 != ";" && $0 != " " }
  return pattern.hasSuffix("/*") ? bare.hasPrefix(pattern.dropLast()) : bare == pattern
}

extension UserText {
  /// The lowercased file extension after the last dot; empty if there is none.
  fileprivate var fileExtension: String {
    guard let dot = string.lastIndex(of: "."), dot > string.startIndex else { return "" }
    return string[string.index(after: dot)...].lowercased()
  }
}
