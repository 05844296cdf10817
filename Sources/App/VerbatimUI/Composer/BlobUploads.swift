// Uploads into the workspace's own blobs.
package import Chat
internal import ChatComposer
package import Verbatim

/// An upload provider that copies attachments into the workspace's blobs, which every user of the workspace can read.
package struct BlobUploads: UploadProvider {
  private let blobs: BlobStore

  /// Creates a provider for a workspace's blobs.
  package init(_ blobs: BlobStore) { self.blobs = blobs }

  /// Copies the file of an attachment into the blobs, and returns the URL of its blob.
  package func upload(
    _ attachment: Attachment, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> String {
    guard case .device(let path) = attachment.location else { throw BlobError.notAFile(path: attachment.id.text) }
    return try await blobs.add(fileAt: path.string, progress: progress).url.string
  }
}
