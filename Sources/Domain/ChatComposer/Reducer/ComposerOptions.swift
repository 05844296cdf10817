// The app's options of composers.
public import Chat

/// The app's options of composers.
public struct ComposerOptions: Sendable {
  /// The symbols, suggestions and commands.
  public var commands: any CommandsConfig = DefaultCommandsConfig()
  /// The limits of attachments.
  public var attachments = AttachmentLimits()
  /// Whether text that starts like a command but names none is refused; otherwise it is sent as text.
  public var refusesUnknownCommands = false
  /// Whether the content left in a composer is stored as a draft for all devices of its user; a workspace sets it for
  /// all composers from its configuration.
  public var draftMessagesEnabled = false
  /// The amount of unsent content that is recorded; a workspace sets it for all composers from its configuration.
  public var recording = ComposerRecording.keystrokes
  /// The provider of animated pictures.
  public var gifs: any GIFProvider = GIFCatalogue()
  /// The number of animated pictures that the giphy picker offers.
  public var picturesOffered = 6
  /// The provider that uploads attachments; nil if there is none and the app reports uploads itself.
  public var uploads: (any UploadProvider)?
  /// The provider of link previews; nil for none.
  public var linkPreviews: (any LinkPreviewProvider)?
  /// The texts and items of the presentation; see ``ComposerPresentation``.
  public var appearance = ComposerAppearance()

  /// Creates the default options.
  public init() {}
}

/// A provider that uploads attachments to a location that others can reach.
public protocol UploadProvider: Sendable {
  /// Uploads the content of an attachment, reports progress from 0 to 1, and returns its URL.
  ///
  /// It can be called again for the same attachment after a process ended in between. Its task is cancelled when the
  /// attachment is removed.
  func upload(_ attachment: Attachment, progress: @escaping @Sendable (Double) -> Void) async throws -> String
}

/// A provider of link previews.
public protocol LinkPreviewProvider: Sendable {
  /// Returns the preview of a page; nil if there is none.
  func preview(of url: String) async throws -> LinkPreview?
}

/// The preview of a page.
public struct LinkPreview: Hashable, Sendable {
  /// The title of the page.
  public var title: String?
  /// The description of the page.
  public var summary: String?
  /// The location of the page's thumbnail.
  public var thumbnail: String?

  /// Creates a preview from its parts.
  public init(title: String? = nil, summary: String? = nil, thumbnail: String? = nil) {
    (self.title, self.summary, self.thumbnail) = (title, summary, thumbnail)
  }
}
