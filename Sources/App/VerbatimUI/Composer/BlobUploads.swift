// Uploads into the workspace's own blobs.
internal import Chat
internal import ChatComposer
internal import Verbatim

/// An upload provider that copies attachments into the workspace's blobs, which every user of the workspace can read.
internal struct BlobUploads: UploadProvider {
  let blobs: BlobStore

  init(_ blobs: BlobStore) { self.blobs = blobs }

  func upload(_ attachment: Attachment, progress: @escaping @Sendable (Double) -> Void) async throws -> String {
    guard case .device(let path) = attachment.location else { throw BlobError.notAFile(path: attachment.id.text) }
    return try await blobs.add(fileAt: path.string, progress: progress).url.string
  }
}
