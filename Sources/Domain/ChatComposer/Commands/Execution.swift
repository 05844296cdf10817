// The input and output of a command execution.
public import Chat

/// The input of a command execution.
public struct ExecutionContext: Sendable {
  /// The key of the composer.
  public let composer: Composer.Key
  /// The time at which the execution began.
  public let instant: Timestamp
  /// The content of the composer.
  public let content: Composition
  /// The directory of users: the host of the composer.
  public let people: any UserDirectory
  /// The generator of unique ids.
  public let newID: @Sendable () -> Message.ID
  /// The provider of animated pictures.
  public let gifs: any GIFProvider

  /// Creates a context.
  public init(
    composer: Composer.Key, at instant: Timestamp, content: Composition, gifs: any GIFProvider,
    people: any UserDirectory = NoUsers(), newID: @escaping @Sendable () -> Message.ID
  ) {
    (self.composer, self.instant, self.content) = (composer, instant, content)
    (self.gifs, self.people, self.newID) = (gifs, people, newID)
  }

  /// Returns the key of a new message in the composer's channel.
  public func newMessage() -> Message.Key { Message.Key(composer.channel, newID()) }
}

/// The output of a command execution.
public struct CommandOutcome: Hashable, Sendable {
  /// The intents to submit atomically, together with the message.
  public var intents: [ChatIntent]

  /// Creates an outcome with intents, or without.
  public init(_ intents: [ChatIntent] = []) { self.intents = intents }
}

/// The error of a built-in command.
public enum CommandError: Error, Hashable, Sendable {
  /// The text is not a duration.
  case noDuration(UserText)
  /// No result was found for the query.
  case nothingFound(UserText)
  /// The command does not exist any more.
  case unknown(ComposedCommand.ID)
}

extension CommandError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .noDuration(let text):
      "“\(text)” is not a duration: write a number and one of s, m, h, d and w, such as 8h."
    case .nothingFound(let text): "Nothing was found for “\(text)”: try other words."
    case .unknown(let id): "There is no command \(id) here any more: choose a listed one."
    }
  }
}

extension CommandError: CodedError {
  /// The code under which the error is recorded.
  public var code: RecordedFailure.Code {
    switch self {
    case .noDuration: "noDuration"
    case .nothingFound: "nothingFound"
    case .unknown: "missingCommand"
    }
  }

  /// The associated values of the error.
  public var values: Extra {
    switch self {
    case .noDuration(let text), .nothingFound(let text): ["text": .text(text)]
    case .unknown(let id): ["command": .id(id)]
    }
  }

  /// Creates the error recorded as a failure; nil if the failure is none.
  public init?(_ failure: RecordedFailure) {
    let values = failure.values
    let error: CommandError? =
      switch failure.code {
      case "noDuration": values.text("text").map { .noDuration($0) }
      case "nothingFound": values.text("text").map { .nothingFound($0) }
      case "missingCommand": values.id("command").map { .unknown($0) }
      default: nil
      }
    guard let error else { return nil }
    self = error
  }
}

/// A provider of animated pictures for `/giphy`.
public protocol GIFProvider: Sendable {
  /// Returns a picture for a query, a different one for each number if there are several. A thrown error is shown.
  func picture(for words: UserText, number: Int) async throws -> GIF
}

/// An animated picture found by a provider.
public struct GIF: Hashable, Sendable {
  /// The URL of the picture.
  public var url: UserText
  /// The title of the picture.
  public var title: UserText
  /// The size of the picture.
  public var size: Attachment.Size?

  /// Creates a picture at a URL.
  public init(url: UserText, title: UserText, size: Attachment.Size? = nil) {
    (self.url, self.title, self.size) = (url, title, size)
  }
}
