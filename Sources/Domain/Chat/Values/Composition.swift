// What somebody has written and not sent yet: the content of a composer and of a draft.

/// A user who is meant by a run of a text.
public struct Mention: Hashable, Sendable {
  /// Who is meant.
  public var user: User.ID
  /// The run that stands for them.
  public var range: UTF16Range

  /// A mention of a user by a run of text.
  public init(_ user: User.ID, at range: UTF16Range) { (self.user, self.range) = (user, range) }
}

extension TypedText {
  /// Those of some mentions that stand for some of the text, each behind the one before it.
  func standing(_ mentions: [Mention]) -> [Mention] {
    var end = UTF16Offset.start
    return mentions.filter { mention in
      guard mention.range.lowerBound >= end, !mention.range.isEmpty, allows(mention.range) else { return false }
      end = mention.range.upperBound
      return true
    }
  }
}

/// A command that is being composed.
public struct ComposedCommand: Hashable, Sendable {
  /// What a command is called.
  public typealias ID = Chat.ID<ComposedCommand>

  /// Which command.
  public var id: ID
  /// The user it was given.
  public var target: User.ID?

  /// A command with the user it was given.
  public init(_ id: ID, target: User.ID? = nil) { (self.id, self.target) = (id, target) }
}

/// Everything that makes up a message that is not sent yet.
public struct Composition: Hashable, Sendable {
  /// What is typed.
  public var text = TypedText()
  /// Who is meant where in the text, in its order.
  public var mentions: [Mention] = []
  /// What hangs on it, in order.
  public var attachments: [ComposedAttachment] = []
  /// The command that is active.
  public var command: ComposedCommand?
  /// The message it quotes.
  public var quoted: Message.ID?
  /// Whether a reply in a thread is shown in the channel too.
  public var showsInChannel = false
  /// Whether nobody shall be notified.
  public var isSilent = false
  /// What an app adds to it.
  public var extra = Extra()
  /// The addresses in the text whose previews are not wanted, in the order in which they were dismissed.
  public var dismissedPreviews: [UserText] = []

  /// Nothing.
  public init() {}

  /// A text and nothing else.
  public init(_ text: TypedText) { self.text = text }

  /// Whether there is anything to keep: text that is not all white space, an attachment, a command or a quote.
  public var hasContent: Bool {
    !attachments.isEmpty || command != nil || quoted != nil || !text.isBlank
  }

  /// About how many bytes it takes where it is stored.
  public var storedByteCount: Int {
    let previews = dismissedPreviews.reduce(0) { $0 + $1.byteCount + 2 }
    return attachments.reduce(text.units.count * 3 + mentions.count * 80 + extra.byteCount + previews) {
      $0 + $1.attachment.storedByteCount
    }
  }
}

/// An attachment of a message that is not sent yet, and how far its upload is.
public struct ComposedAttachment: Hashable, Sendable {
  /// The attachment.
  public var attachment: Attachment
  /// How far its upload is.
  public var upload: Upload

  /// How far an upload is.
  public enum Upload: Hashable, Sendable {
    /// Not begun.
    case local
    /// So many thousandths are done.
    case uploading(permille: UInt16)
    /// Done, or nothing to do.
    case done
    /// It did not succeed.
    case failed(reason: UserText)
  }

  /// An attachment with the state of its upload.
  public init(_ attachment: Attachment, _ upload: Upload) { (self.attachment, self.upload) = (attachment, upload) }
}

extension TypedText {
  /// Whether it holds nothing but white space.
  public var isBlank: Bool {
    units.allSatisfy { TypedText.isWhiteSpace($0) }
  }

  /// Whether a unit is white space; none of it takes two.
  package static func isWhiteSpace(_ unit: UInt16) -> Bool { Unicode.Scalar(unit).map { isWhiteSpace($0) } ?? false }

  /// Unicode's property White_Space, which has not grown since version 4: written out, so that no toolchain changes it.
  package static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }
}
