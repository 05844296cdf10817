// The content of a message, and the edits of it.

extension Message {
  /// The content of a message.
  public struct Content: Hashable, Sendable {
    /// The kind of the message.
    public var kind: Kind
    /// The text of the message.
    public var text: UserText
    /// The mentioned users and their ranges in the text, in order.
    public var mentions: [Mention]
    /// The attachments, in order.
    public var attachments: [Attachment]
    /// The parent message, when the message is a reply in a thread.
    public var parent: ID?
    /// Whether a reply is also shown in the channel.
    public var showsInChannel: Bool
    /// The quoted message.
    public var quoted: ID?
    /// Whether the message notifies no user and does not count as unread.
    public var isSilent: Bool
    /// The extra values of the app.
    public var extra: Extra
    /// The client id given by the author.
    public var client: ClientID?
    /// Whether the message waits for a server to accept it.
    public var isPending: Bool
    /// The message whose text and attachments these are, when the message was forwarded.
    public package(set) var forwarded: Forwarded? {
      get { boxedForwarded.value }
      set { boxedForwarded = Boxed(newValue) }
    }
    // Without an initializer of its own, whose result would be copied: see the extension below.
    var boxedForwarded: Boxed<Forwarded>

    /// Returns the content with edits applied.
    public func with(_ edits: Edits) -> Content {
      var content = self
      if let text = edits.text { content.text = text }
      if let mentions = edits.mentions { content.mentions = mentions }
      if let attachments = edits.attachments { content.attachments = attachments }
      if let extra = edits.extra { content.extra = extra }
      return content
    }

    /// The content after deletion for good: kind and thread, without anything the author wrote.
    package var erased: Content {
      Content(kind: kind, parent: parent, showsInChannel: showsInChannel, isSilent: isSilent, client: client)
    }
  }

  /// The message that was forwarded, and its author.
  ///
  /// A forwarded message that is forwarded again names the first one.
  public struct Forwarded: Hashable, Sendable {
    /// The message whose content was forwarded.
    public let source: Key
    /// The author of that message; nil for the app.
    public let author: User.ID?

    package init(_ source: Key, by author: User.ID?) { (self.source, self.author) = (source, author) }
  }

  /// The kind of a message.
  public enum Kind: Hashable, Sendable {
    /// A message written by a user.
    case regular
    /// A message of the app.
    case system
    /// A message that only its author sees, until they send or cancel it.
    case ephemeral
    /// A message of an app's own kind.
    case custom(CustomKind)
  }

  /// The changes of an edit; nil parts stay.
  public struct Edits: Hashable, Sendable {
    /// The new text.
    public var text: UserText?
    /// The new mentions.
    public var mentions: [Mention]?
    /// The new attachments.
    public var attachments: [Attachment]?
    /// The new extra values.
    public var extra: Extra?

    /// Creates an edit of some parts.
    public init(
      text: UserText? = nil, mentions: [Mention]? = nil, attachments: [Attachment]? = nil, extra: Extra? = nil
    ) {
      (self.text, self.mentions, self.attachments, self.extra) = (text, mentions, attachments, extra)
    }

    /// Whether the edit changes nothing.
    public var isEmpty: Bool { text == nil && mentions == nil && attachments == nil && extra == nil }

    /// Returns the edit without the parts equal to those of a content.
    package func without(_ content: Content) -> Edits {
      Edits(
        text: text == content.text ? nil : text, mentions: mentions == content.mentions ? nil : mentions,
        attachments: attachments == content.attachments ? nil : attachments,
        extra: extra == content.extra ? nil : extra)
    }
  }
}

extension Message.Content {
  /// Creates a content from its parts.
  public init(
    _ text: UserText = "", kind: Message.Kind = .regular, mentions: [Mention] = [], attachments: [Attachment] = [],
    parent: Message.ID? = nil, showsInChannel: Bool = false, quoted: Message.ID? = nil, isSilent: Bool = false,
    extra: Extra = [:], client: Message.ClientID? = nil, isPending: Bool = false
  ) {
    self.init(
      text, kind: kind, mentions: mentions, attachments: attachments, parent: parent, showsInChannel: showsInChannel,
      quoted: quoted, isSilent: isSilent, extra: extra, client: client, isPending: isPending, forwarded: nil)
  }

  // The memberwise initializer makes a value of this size where it is wanted; one that assigns the properties makes it
  // elsewhere, copies it with all reference counts, and destroys the first one.
  package init(
    _ text: UserText, kind: Message.Kind, mentions: [Mention], attachments: [Attachment], parent: Message.ID?,
    showsInChannel: Bool, quoted: Message.ID?, isSilent: Bool, extra: Extra, client: Message.ClientID?,
    isPending: Bool, forwarded: Message.Forwarded?
  ) {
    self.init(
      kind: kind, text: text, mentions: mentions, attachments: attachments, parent: parent,
      showsInChannel: showsInChannel, quoted: quoted, isSilent: isSilent, extra: extra, client: client,
      isPending: isPending, boxedForwarded: Boxed(forwarded))
  }
}
