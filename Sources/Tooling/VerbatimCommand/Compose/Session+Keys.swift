// The handling of keys in the composer.
internal import Chat
internal import ChatComposer
internal import Terminal
internal import Verbatim

extension Session {
  /// The effect of a key on the session.
  enum Course { case staysOn, leaves }

  /// Handles a key.
  func take(_ key: Key) -> Course {
    if path != nil, takeInPath(key) { return .staysOn }
    switch key {
    case .text(let text):
      anchor = nil
      // Character by character, so that undo steps do not depend on how the input was read.
      for letter in text { act(.type(String(letter))) }
    case .paste(let text):
      anchor = nil
      act(.paste(text.withLineFeeds))
    default:
      guard let keyCommand = KeyTable.keyCommands[key] else { return .staysOn }
      let course = perform(keyCommand)
      if !keyCommand.selects { anchor = nil }
      return course
    }
    return .staysOn
  }

  /// Removes the list of keys; returns whether the key has no other effect.
  func closesKeys(_ key: Key) -> Bool {
    guard showsKeys else { return false }
    showsKeys = false
    return KeyTable.keyCommands[key] == .help || KeyTable.keyCommands[key] == .escape
  }

  private func perform(_ keyCommand: KeyCommand) -> Course {
    switch keyCommand {
    case .leave: return .leaves
    case .leaveOrErase where !composer.composer.content.hasContent && composer.composer.editing == nil: return .leaves
    case .leaveOrErase: erase(.right)
    case .send: pick(orElse: { begin { await $0.send() } })
    case .newLine: act(.type("\n"))
    case .pick: pick(orElse: {})
    case .choosePrevious: choice.move(by: -1)
    case .escape: escape()
    case .move(let move, let selects): go(move, selects: selects)
    case .backspace: act(.backspace)
    case .erase(let move): erase(move)
    case .undo: act(.undo)
    case .redo: act(.redo)
    case .quote: quote()
    case .commands:
      choice.reopen()
      act(.showCommands(!composer.composer.showsCommands))
    case .attach: path = ""
    case .detach: composer.composer.content.attachments.last.map { act(.detach($0.attachment.id)) }
    case .act(let action): begin { await $0.act(action) }
    case .repaint: screen.resize(to: screen.size)
    case .help: showsKeys = true
    }
    return .staysOn
  }

  /// Performs an action in the composer, and shows the error where it fails.
  func act(_ action: Composer.Action) {
    do throws(ComposerError) { try composer.perform(action) } catch { said = error.description }
  }

  // MARK: Suggestions and sending

  private var suggestions: SuggestionList? { choice.meet(composer.presentation.suggestions) }

  /// Picks the selected suggestion; calls the closure where there is none to pick.
  private func pick(orElse act: () -> Void) {
    guard let list = suggestions, let item = choice.chosen(in: list), item.answer != nil else { return act() }
    do throws(ComposerError) { try composer.pick(item.id) } catch { said = error.description }
  }

  private func send() async {
    let command = composer.presentation.input.first { $0.id == .command }?.label
    do throws(ComposerError) {
      if case .command(let id) = try await composer.send() {
        above.append(Line("  \(command ?? id.text): done", .dim))
      }
    } catch {
      if composer.notice == nil { said = error.description }
    }
  }

  // MARK: Selection and cancellation

  private func escape() {
    if let list = suggestions {
      if composer.composer.showsCommands { act(.showCommands(false)) } else { choice.close(list) }
    } else if composer.composer.quoting != nil {
      act(.stopQuoting)
    } else if composer.composer.editing != nil {
      act(.cancelEdit)
    } else {
      act(.clearCommand)
    }
  }

  // MARK: Caret

  /// The position of the caret: the end of the selection that moves.
  var head: UTF16Offset {
    let selection = composer.composer.selection
    return anchor == selection.upperBound ? selection.lowerBound : selection.upperBound
  }

  private func go(_ move: Move, selects: Bool) {
    if !selects, move == .up || move == .down, let list = suggestions, !list.items.isEmpty {
      return choice.move(by: move == .up ? -1 : 1)
    }
    if move == .up, !selects, isEmpty { return editLast() }
    let (text, selection) = (composer.typedText, composer.composer.selection)
    var target = text.offset(of: move, from: head)
    guard selects else {
      if !selection.isEmpty, move == .left || move == .right {
        target = move == .left ? selection.lowerBound : selection.upperBound
      }
      return act(.moveSelection((target..<target).units))
    }
    let start = anchor ?? head
    anchor = start
    act(.moveSelection((min(start, target)..<max(start, target)).units))
  }

  private func erase(_ move: Move) {
    let selection = composer.composer.selection
    if !selection.isEmpty { return act(.backspace) }
    let target = composer.typedText.offset(of: move, from: head)
    if target != head { act(.replace((min(target, head)..<max(target, head)).units, with: "")) }
  }

  // MARK: Other messages

  /// Whether there is nothing to keep or to send.
  var isEmpty: Bool { !composer.composer.content.hasContent && composer.composer.editing == nil }

  private func editLast() {
    let own = transcript.messages.last { message in
      message.author == target.user && message.presence == .present && message.content.kind == .regular
    }
    if let own { act(.beginEdit(own)) }
  }

  /// The maximum number of messages to go back for a quote.
  private static var quotesMax: Int { 20 }

  private func quote() {
    let messages = transcript.messages.filter { $0.presence == .present && $0.content.kind != .ephemeral }
    let ids = messages.suffix(Self.quotesMax).reversed().map(\.key.id)
    let next = composer.composer.quoting.flatMap { ids.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    act(next < ids.count ? .quote(ids[next]) : .stopQuoting)
  }

  /// Performs an action on the newest message that only its author sees.
  private func act(_ keyCommand: KeyCommand.OnEphemeral) async {
    guard let message = transcript.messages.last(where: { $0.content.kind == .ephemeral && $0.presence == .present })
    else {
      said = "There is no ephemeral message: create one, for example with /giphy."
      return
    }
    let action: EphemeralAction =
      switch keyCommand {
      case .send: .send
      case .shuffle: .shuffle
      case .cancel: .cancel
      }
    do throws(ComposerError) { try await composer.act(action, on: message) } catch { said = error.description }
  }
}

extension KeyCommand {
  /// Whether the command extends a selection.
  fileprivate var selects: Bool { if case .move(_, selects: true) = self { true } else { false } }
}

extension String {
  /// The text with each line end as one line feed; terminals paste carriage returns.
  fileprivate var withLineFeeds: String {
    String(map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 })
  }
}
