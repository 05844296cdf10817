// Attachments of a draft whose files are on the device that saved it.
internal import Chat

extension Draft {
  /// Returns the content for a composer of a device: the upload of a file that is only on the device that saved the
  /// draft has failed, since another device cannot read it.
  func content(on device: Device.ID) -> Composition? {
    guard let saver = edit.device, saver != device, var content else { return content }
    content.attachments = content.attachments.map { $0.elsewhere(than: saver) }
    return content
  }
}

extension ComposedAttachment {
  fileprivate func elsewhere(than saver: Device.ID) -> Self {
    guard case .device = attachment.location else { return self }
    if case .failed(let failure) = upload, failure.code == RecordedFailure.elsewhere { return self }
    return Self(attachment, .failed(RecordedFailure(fileOn: saver)))
  }
}

extension RecordedFailure {
  fileprivate static let elsewhere: Code = "fileElsewhere"

  fileprivate init(fileOn device: Device.ID) {
    self.init(
      Self.elsewhere,
      ["device": .id(device), "reason": "The file is on another device: upload it there, or attach it here again."])
  }

  /// Returns whether it says that the file is on a device other than the given one.
  func isOfFileElsewhere(than device: Device.ID) -> Bool {
    code == Self.elsewhere && values.id("device") != device
  }
}
