// The uploads of a studio's composers.
internal import Chat
internal import ChatComposer

/// An upload provider that removes the temporary file of an attachment once another provider has uploaded it.
struct StudioUploads: UploadProvider {
  let provider: any UploadProvider
  let temporary: TemporaryFolder

  func upload(_ attachment: Attachment, progress: @escaping @Sendable (Double) -> Void) async throws -> String {
    let url = try await provider.upload(attachment, progress: progress)
    // A cancelled upload begins again when its composer is opened again, or its message's edit has ended.
    if !Task.isCancelled { temporary.remove(attachment.id.text) }
    return url
  }
}
