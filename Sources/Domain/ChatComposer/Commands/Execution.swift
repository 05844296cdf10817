// What a command is given when it is executed, and what it answers.
public import Chat

/// What a command that is executed may use.
public struct ExecutionContext: Sendable {
  /// In whose composer, for where.
  public let composer: Composer.Key
  /// When it began.
  public let instant: Instant
  /// What is written.
  public let content: Composition
  /// What is called by a name that nobody else has: it makes one.
  public let newID: @Sendable () -> String
  /// Who finds animated pictures.
  public let gifs: any GIFProvider

  /// What a command may use.
  public init(
    composer: Composer.Key, at instant: Instant, content: Composition, gifs: any GIFProvider,
    newID: @escaping @Sendable () -> String
  ) {
    (self.composer, self.instant, self.content) = (composer, instant, content)
    (self.gifs, self.newID) = (gifs, newID)
  }

  /// A message in the composer's channel with a new id.
  public func newMessage() -> Message.Key {
    Message.Key(composer.channel, Message.ID(stringLiteral: newID()))
  }
}

/// What a command that was executed wants of the conversation.
public struct CommandOutcome: Hashable, Sendable {
  /// What is submitted, all of it or nothing, together with the message.
  public var intents: [ChatIntent]

  /// A command that wants this, or nothing.
  public init(_ intents: [ChatIntent] = []) { self.intents = intents }
}

/// Why a ready-made command was not executed.
public enum CommandError: Error, Hashable, Sendable {
  /// What was written is no span of time.
  case noDuration(UserText)
  /// Nothing was found for these words.
  case nothingFound(UserText)
  /// The command is not known any more.
  case unknown(ComposedCommand.ID)
}

extension CommandError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .noDuration(let text):
      "“\(text)” is no span of time: write a number and one of s, m, h, d and w, such as 8h."
    case .nothingFound(let text): "Nothing was found for “\(text)”: try other words."
    case .unknown(let id): "There is no command \(id) here any more: take one of those that are listed."
    }
  }
}

/// Finds animated pictures, for `/giphy`.
public protocol GIFProvider: Sendable {
  /// The picture for some words; another one, where there are more, for each number. What it throws is shown.
  func picture(for words: UserText, number: Int) async throws -> GIF
}

/// An animated picture that was found.
public struct GIF: Hashable, Sendable {
  /// Where it is.
  public var url: UserText
  /// What it shows.
  public var title: UserText
  /// How large it is.
  public var size: Attachment.Size?

  /// An animated picture at an address.
  public init(url: UserText, title: UserText, size: Attachment.Size? = nil) {
    (self.url, self.title, self.size) = (url, title, size)
  }
}
