// The unsent content of a composer or a draft.

/// A range of a text that mentions a user.
public struct Mention: Hashable, Sendable {
  /// The mentioned user.
  public var user: User.ID
  /// The range of the mention in the text.
  public var range: UTF16Range

  /// Creates a mention of a user at a range of text.
  public init(_ user: User.ID, at range: UTF16Range) { (self.user, self.range) = (user, range) }
}

extension TypedText {
  /// Returns the mentions with valid, non-empty ranges, each after the preceding one.
  func valid(_ mentions: [Mention]) -> [Mention] {
    var end = UTF16Offset.start
    return mentions.filter { mention in
      guard mention.range.lowerBound >= end, !mention.range.isEmpty, allows(mention.range) else { return false }
      end = mention.range.upperBound
      return true
    }
  }
}

/// A command in a composer, with its target user.
public struct ComposedCommand: Hashable, Sendable {
  /// The id of a command.
  public typealias ID = Chat.ID<ComposedCommand>

  /// The id of the command.
  public var id: ID
  /// The target user of the command.
  public var target: User.ID?

  /// Creates a command with its target user.
  public init(_ id: ID, target: User.ID? = nil) { (self.id, self.target) = (id, target) }
}

/// The content of an unsent message.
public struct Composition: Hashable, Sendable {
  /// The typed text.
  public var text = TypedText()
  /// The mentions in the text, in the order of their ranges.
  public var mentions: [Mention] = []
  /// The attachments, in order.
  public var attachments: [ComposedAttachment] = []
  /// The active command.
  public var command: ComposedCommand?
  /// The quoted message.
  public var quoted: Message.ID?
  /// Whether a reply in a thread is also shown in the channel.
  public var showsInChannel = false
  /// Whether the message notifies no user.
  public var isSilent = false
  /// The extra values of the app.
  public var extra = Extra()
  /// The addresses in the text whose previews were dismissed, in the order of dismissal.
  public var dismissedPreviews: [UserText] = []

  /// Creates an empty composition.
  public init() {}

  /// Creates a composition of a text.
  public init(_ text: TypedText) { self.text = text }

  /// Whether there is anything worth keeping: text that is not all white space, an attachment, a command or a quote.
  public var hasContent: Bool {
    !attachments.isEmpty || command != nil || quoted != nil || !text.isBlank
  }

  /// The approximate number of bytes of the stored composition.
  public var storedByteCount: Int {
    let previews = dismissedPreviews.reduce(0) { $0 + $1.byteCount + 2 }
    return attachments.reduce(text.units.count * 3 + mentions.count * 80 + extra.byteCount + previews) {
      $0 + $1.attachment.storedByteCount
    }
  }
}

/// An attachment of an unsent message, with the state of its upload.
public struct ComposedAttachment: Hashable, Sendable {
  /// The attachment with its metadata.
  public var attachment: Attachment
  /// The state of the upload.
  public var upload: Upload

  /// The state of an upload.
  public enum Upload: Hashable, Sendable {
    /// The upload has not begun.
    case local
    /// The upload is running, with its progress in thousandths.
    case uploading(permille: UInt16)
    /// The upload is finished, or not needed.
    case done
    /// The upload failed.
    case failed(RecordedFailure)
  }

  /// Creates an attachment with the state of its upload.
  public init(_ attachment: Attachment, _ upload: Upload) { (self.attachment, self.upload) = (attachment, upload) }
}

extension TypedText {
  /// Whether the text is empty or only white space.
  public var isBlank: Bool {
    units.allSatisfy { TypedText.isWhiteSpace($0) }
  }

  /// Returns whether a UTF-16 unit is white space; no white space takes two units.
  package static func isWhiteSpace(_ unit: UInt16) -> Bool { Unicode.Scalar(unit).map { isWhiteSpace($0) } ?? false }

  /// Returns whether a scalar is White_Space, unchanged since Unicode 4: written out, so that no toolchain changes it.
  package static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }
}
