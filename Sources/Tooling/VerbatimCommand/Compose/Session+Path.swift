// Attaches a file: prompts for its path, and derives its type from its name.
internal import Chat
internal import ChatComposer
internal import Terminal
internal import Verbatim

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Session {
  /// Handles a key while the path prompt is open; returns false for a key that keeps its usual command.
  func takeInPath(_ key: Key) -> Bool {
    guard let typed = path else { return false }
    switch key {
    case .text(let text): path = typed + text
    case .paste(let text): path = typed + text.filter { !$0.isNewline }
    case .named(.backspace, _): path = String(typed.dropLast())
    case .letter("u", .control): path = ""
    case .named(.escape, _): path = nil
    case .named(.enter, _):
      path = nil
      if !typed.isEmpty { attach(typed) }
    case .letter("c", .control): return false
    default: break
    }
    return true
  }

  private func attach(_ typed: String) {
    guard let file = LocalFile(typed) else {
      said = "The file \(typed) cannot be read: give the path of a readable file."
      return
    }
    let (kind, type) = file.kind
    act(
      .attach(
        Attachment(
          target.workspace.newID(), kind, at: .device(UserText(file.path)), title: UserText(file.name),
          mimeType: type.map { UserText($0) }, byteCount: file.byteCount)))
  }
}

/// A file on this device.
private struct LocalFile {
  let path: String
  let byteCount: UInt64

  /// Opens the file at a path, which may begin with `~/`; nil where it is not readable.
  init?(_ typed: String) {
    var path = typed
    if path.hasPrefix("~/"), let home = getenv("HOME") { path = String(cString: home) + path.dropFirst() }
    var status = stat()
    guard let whole = realpath(path, nil) else { return nil }
    defer { free(whole) }
    guard stat(whole, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(whole, R_OK) == 0 else { return nil }
    (self.path, byteCount) = (String(cString: whole), UInt64(max(0, status.st_size)))
  }

  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The kind and MIME type, derived from the file extension.
  var kind: (Attachment.Kind, mimeType: String?) {
    let end = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return switch end {
    case "png", "gif", "webp": (.image, "image/\(end)")
    case "jpg", "jpeg": (.image, "image/jpeg")
    case "mp4", "webm": (.video, "video/\(end)")
    case "mov": (.video, "video/quicktime")
    case "mp3": (.audio, "audio/mpeg")
    case "wav", "ogg", "flac": (.audio, "audio/\(end)")
    case "txt": (.file, "text/plain")
    case "pdf": (.file, "application/pdf")
    default: (.file, nil)
    }
  }
}
