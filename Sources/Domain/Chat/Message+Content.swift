// What is said in a message, and what an edit changes of it.

extension Message {
  /// What is said in a message.
  public struct Content: Hashable, Sendable {
    /// What kind of message it is.
    public var kind: Kind
    /// The words.
    public var text: UserText
    /// Who is meant where in the words, in their order.
    public var mentions: [Mention]
    /// What hangs on it, in order.
    public var attachments: [Attachment]
    /// The message in whose thread it is a reply.
    public var parent: ID?
    /// Whether a reply is shown in the channel too.
    public var showsInChannel: Bool
    /// The message that it quotes.
    public var quoted: ID?
    /// Whether nobody shall be notified, and it does not count as unread.
    public var isSilent: Bool
    /// What an app adds.
    public var extra: Extra
    /// What its author calls it.
    public var client: ClientID?
    /// Whether it waits for a server to take it.
    public var isPending: Bool

    /// A content with its parts.
    public init(
      _ text: UserText = "", kind: Kind = .regular, mentions: [Mention] = [], attachments: [Attachment] = [],
      parent: ID? = nil, showsInChannel: Bool = false, quoted: ID? = nil, isSilent: Bool = false,
      extra: Extra = [:], client: ClientID? = nil, isPending: Bool = false
    ) {
      self.kind = kind
      self.text = text
      self.mentions = mentions
      self.attachments = attachments
      self.parent = parent
      self.showsInChannel = showsInChannel
      self.quoted = quoted
      self.isSilent = isSilent
      self.extra = extra
      self.client = client
      self.isPending = isPending
    }

    /// The content with what an edit changes.
    public func with(_ edits: Edits) -> Content {
      var content = self
      if let text = edits.text { content.text = text }
      if let mentions = edits.mentions { content.mentions = mentions }
      if let attachments = edits.attachments { content.attachments = attachments }
      if let extra = edits.extra { content.extra = extra }
      return content
    }

    /// What is left when it is deleted for good: where it stood, and nothing that was said.
    package var erased: Content {
      Content(kind: kind, parent: parent, showsInChannel: showsInChannel, isSilent: isSilent, client: client)
    }
  }

  /// What kind of message it is.
  public enum Kind: Hashable, Sendable {
    /// Somebody said it.
    case regular
    /// The app said it.
    case system
    /// Only its author sees it, until they send or cancel it.
    case ephemeral
    /// A kind of an app's own.
    case custom(CustomKind)
  }

  /// What an edit changes; nil for what stays.
  public struct Edits: Hashable, Sendable {
    /// The words.
    public var text: UserText?
    /// Who is meant where in the words.
    public var mentions: [Mention]?
    /// What hangs on it.
    public var attachments: [Attachment]?
    /// What an app adds.
    public var extra: Extra?

    /// An edit of some parts.
    public init(
      text: UserText? = nil, mentions: [Mention]? = nil, attachments: [Attachment]? = nil, extra: Extra? = nil
    ) {
      (self.text, self.mentions, self.attachments, self.extra) = (text, mentions, attachments, extra)
    }

    /// Whether nothing changes.
    public var isEmpty: Bool { text == nil && mentions == nil && attachments == nil && extra == nil }

    /// The same without what a content has already.
    func without(_ content: Content) -> Edits {
      Edits(
        text: text == content.text ? nil : text, mentions: mentions == content.mentions ? nil : mentions,
        attachments: attachments == content.attachments ? nil : attachments,
        extra: extra == content.extra ? nil : extra)
    }
  }
}
