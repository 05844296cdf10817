// What an app chooses for its composers.
public import Chat

/// What an app chooses for its composers.
public struct ComposerOptions: Sendable {
  /// Which symbols, suggestions and commands there are.
  public var commands: any CommandsConfig = DefaultCommandsConfig()
  /// What may be attached.
  public var attachments = AttachmentLimits()
  /// Whether text that begins like a command and names none is refused; else it is sent as text.
  public var refusesUnknownCommands = false
  /// Whether what is left in a composer is kept as a draft, for all devices of its user; in a workspace its
  /// configuration says so for all composers.
  public var draftMessagesEnabled = false
  /// Who finds animated pictures.
  public var gifs: any GIFProvider = GIFCatalogue()
  /// Who brings what is attached to where others reach it; nil where nobody does, and uploads are the app's to tell.
  public var uploads: (any UploadProvider)?
  /// Who looks up what is shown of a page; nil where nobody does.
  public var linkPreviews: (any LinkPreviewProvider)?
  /// Words and items of what is shown; see ``ComposerPresentation``.
  public var appearance = ComposerAppearance()

  /// What is chosen where an app chooses nothing.
  public init() {}
}

/// Brings what is attached to where others reach it.
public protocol UploadProvider: Sendable {
  /// Brings the content of an attachment somewhere, telling how much is done, from 0 to 1; answers its address.
  ///
  /// It may be asked again for the same attachment, when a process ended in between. Its task is cancelled when the
  /// attachment is taken off.
  func upload(_ attachment: Attachment, progress: @escaping @Sendable (Double) -> Void) async throws -> UserText
}

/// Looks up what is shown of a page.
public protocol LinkPreviewProvider: Sendable {
  /// What is shown of the page at an address; nil when nothing is.
  func preview(of url: UserText) async throws -> LinkPreview?
}

/// What is shown of a page.
public struct LinkPreview: Hashable, Sendable {
  /// What the page is called.
  public var title: UserText?
  /// What it says of itself.
  public var summary: UserText?
  /// Where a picture of it is.
  public var thumbnail: UserText?

  /// What is shown of a page.
  public init(title: UserText? = nil, summary: UserText? = nil, thumbnail: UserText? = nil) {
    (self.title, self.summary, self.thumbnail) = (title, summary, thumbnail)
  }
}
