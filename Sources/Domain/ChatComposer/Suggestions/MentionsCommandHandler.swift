// Suggestions of users while a name is typed.
public import Chat

/// A handler that suggests users while a name is typed after a symbol, and inserts a mention when one is picked.
public struct MentionsCommandHandler: CommandHandler {
  /// The id of the handler.
  public let id: ComposedCommand.ID
  /// The symbol before a name; nil until the configuration's ``CommandsConfig/mentionsSymbol`` is inherited.
  public private(set) var mentionsSymbol: String?
  /// Whether all users are suggested, not only members of the channel.
  public let mentionAllAppUsers: Bool
  /// The maximum number of suggestions.
  public let limit: Int
  private let provider: (@Sendable (UserText) async throws -> [User])?
  private let typingMention: (@Sendable (TypedText, UTF16Offset) -> TypingSuggestion?)?

  /// Creates a handler with the configuration's symbol or its own; `provider` replaces the search of users,
  /// `typingMention` the detection of the name being typed.
  public init(
    commandSymbol: String? = nil, mentionAllAppUsers: Bool = false, limit: Int = 10,
    id: ComposedCommand.ID = "mentions",
    provider: (@Sendable (UserText) async throws -> [User])? = nil,
    typingMention: (@Sendable (TypedText, UTF16Offset) -> TypingSuggestion?)? = nil
  ) {
    (mentionsSymbol, self.mentionAllAppUsers, self.limit, self.id) = (commandSymbol, mentionAllAppUsers, limit, id)
    (self.provider, self.typingMention) = (provider, typingMention)
  }

  /// Returns the handler with the configuration's symbol, unless it has its own.
  func inheriting(_ symbol: String?) -> Self {
    var handler = self
    handler.mentionsSymbol = mentionsSymbol ?? symbol
    return handler
  }

  /// Returns the text between the nearest symbol and the caret.
  public func canHandleCommand(in text: TypedText, caretLocation: UTF16Offset) -> ComposerCommand? {
    if let typingMention { return typingMention(text, caretLocation).map { ComposerCommand(id, typing: $0) } }
    guard let mentionsSymbol else { return nil }
    return text.mention(behind: mentionsSymbol, before: caretLocation).map { ComposerCommand(id, typing: $0) }
  }

  /// Returns users who match the typed text.
  public func suggestions(
    for command: ComposerCommand, in context: SuggestionContext
  ) async throws -> SuggestionInfo {
    let typed = command.typingSuggestion?.text ?? ""
    return SuggestionInfo(.mentions, try await users(matching: typed, in: context)) {
      Suggestion($0, symbol: mentionsSymbol)
    }
  }

  func users(matching typed: UserText, in context: SuggestionContext) async throws -> [User] {
    if let provider { return Array(try await provider(typed).prefix(limit)) }
    let channel = context.composer.channel
    return mentionAllAppUsers
      ? try await context.people.users(matching: typed, in: channel, limit: limit)
      : try await context.people.members(of: channel, matching: typed, limit: limit)
  }

  /// Replaces the typed text by symbol, name and a space; the mention covers symbol and name.
  public func handleCommand(
    _ command: ComposerCommand, picked answer: SuggestionValue, in content: inout CommandContent
  ) {
    guard case .chatUser(let user, let name) = answer, let range = command.typingSuggestion?.range else { return }
    content.mention(user, as: UserText((mentionsSymbol ?? "") + name.string), at: range)
  }
}

/// The maximum length in units of a name being typed, with its symbol.
private let mentionLengthMax = 512

extension TypedText {
  /// Returns the text between the nearest symbol and an offset, if the symbol is at the start of the text or after
  /// white space or opening punctuation, and no line break is in between. The search is limited to the maximum name
  /// length.
  func mention(behind symbol: String, before caret: UTF16Offset) -> TypingSuggestion? {
    let symbol = Array(symbol.utf16)
    guard !symbol.isEmpty else { return nil }
    var start = min(caret.rawValue, units.count) - symbol.count
    let last = max(0, caret.rawValue - mentionLengthMax)
    while start >= last {
      if units[start] == symbol[0], units[start...].starts(with: symbol), opensMention(at: start) {
        let query = UTF16Offset(rawValue: start + symbol.count)..<caret
        return TypingSuggestion(userText(of: query), at: UTF16Offset(rawValue: start)..<caret)
      }
      if isLineEnd(units[start + symbol.count - 1]) { return nil }
      start -= 1
    }
    return nil
  }

  /// Whether a range contains a line break.
  func endsLine(in range: UTF16Range) -> Bool {
    units[range.lowerBound.rawValue..<range.upperBound.rawValue].contains { isLineEnd($0) }
  }

  private func opensMention(at offset: Int) -> Bool {
    guard offset > 0 else { return true }
    guard let before = Unicode.Scalar(units[offset - 1]) else { return false }
    if TypedText.isWhiteSpace(before) { return true }
    let category = before.properties.generalCategory
    return category == .openPunctuation || category == .initialPunctuation
  }

  private func isLineEnd(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
