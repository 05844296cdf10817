// Users that are suggested while their name is typed.
public import Chat

/// Suggests users while their name is typed behind a symbol, and puts a mention where one is picked.
public struct MentionsCommandHandler: CommandHandler {
  /// What the suggestions are called.
  public let id: ComposedCommand.ID
  /// What one types before a name; nil where nobody is suggested.
  public let symbolOfMentions: String?
  /// Whether all users are suggested, not only members of the channel.
  public let mentionsAllUsers: Bool
  /// How many are suggested at most.
  public let limit: Int
  private let provider: (@Sendable (UserText) async throws -> [User])?
  private let typingMention: (@Sendable (TypedText, UTF16Offset) -> TypingSuggestion?)?

  /// Users behind a symbol: those that the provider answers, where the app gives one, and else those who match. What is
  /// being typed is told by the function, where the app gives one.
  public init(
    symbol: String? = "@", mentionsAllUsers: Bool = false, limit: Int = 10, id: ComposedCommand.ID = "mentions",
    provider: (@Sendable (UserText) async throws -> [User])? = nil,
    typingMention: (@Sendable (TypedText, UTF16Offset) -> TypingSuggestion?)? = nil
  ) {
    (symbolOfMentions, self.mentionsAllUsers, self.limit, self.id) = (symbol, mentionsAllUsers, limit, id)
    (self.provider, self.typingMention) = (provider, typingMention)
  }

  /// What stands between the nearest symbol before the caret and the caret.
  public func canHandleCommand(in text: TypedText, caretLocation: UTF16Offset) -> ComposerCommand? {
    if let typingMention { return typingMention(text, caretLocation).map { ComposerCommand(id, typing: $0) } }
    guard let symbolOfMentions else { return nil }
    return text.mention(behind: symbolOfMentions, before: caretLocation).map { ComposerCommand(id, typing: $0) }
  }

  /// Users who match what is typed.
  public func suggestions(
    for command: ComposerCommand, in context: SuggestionContext
  ) async throws -> SuggestionInfo {
    let typed = command.typingSuggestion?.text ?? ""
    return SuggestionInfo(.mentions, try await users(matching: typed, in: context).map { Suggestion($0) })
  }

  func users(matching typed: UserText, in context: SuggestionContext) async throws -> [User] {
    if let provider { return Array(try await provider(typed).prefix(limit)) }
    let channel = context.composer.channel
    return mentionsAllUsers
      ? try await context.people.users(matching: typed, in: channel, limit: limit)
      : try await context.people.members(of: channel, matching: typed, limit: limit)
  }

  /// The symbol, the name and a space take the place of what was typed; the user is meant by the first two.
  public func handleCommand(
    _ command: ComposerCommand, picked answer: SuggestionAnswer, in content: inout CommandContent
  ) {
    guard case .chatUser(let user, let name) = answer, let range = command.typingSuggestion?.range else { return }
    content.mention(user, as: UserText((symbolOfMentions ?? "") + name.string), at: range)
  }
}

/// How many units a name has at most, with its symbol, while it is typed.
private let mentionLengthMax = 512

extension TypedText {
  /// What stands between the nearest symbol before a place and the place, where the symbol begins the text or stands
  /// behind white space or opening punctuation, and no line ends between. Further back than any name is long it does
  /// not look.
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

  /// Whether a line ends in a range.
  func endsLine(in range: UTF16Range) -> Bool {
    units[range.lowerBound.rawValue..<range.upperBound.rawValue].contains { isLineEnd($0) }
  }

  private func opensMention(at place: Int) -> Bool {
    guard place > 0 else { return true }
    guard let before = Unicode.Scalar(units[place - 1]) else { return false }
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
