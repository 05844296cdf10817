// The frame at the bottom of the terminal: notices, chips, the input, suggestions.
internal import Chat
internal import ChatComposer
internal import ChatProjections
internal import ChatRendering
internal import Terminal
internal import Verbatim

/// The painted lines, the caret, and the instant at which the frame expires if nothing happens.
struct Frame {
  var lines: [Line] = []
  var caret = Screen.Caret.start
  var until: Timestamp?
}

extension Session {
  /// The maximum number of suggestions shown at once.
  private static let suggestionsMax = 8

  private static let working = "not sent yet: keys wait until it is; ctrl-c leaves"

  /// Returns the frame at an instant.
  func frame(at now: Timestamp) -> Frame {
    let shown = composer.presentation
    var frame = Frame()
    if showsKeys { frame.lines += KeyTable.lines.map { Line($0, .dim) } }
    frame.lines += notices
    let typists = typing.filter { now < $0.typed + TypingUser.span }
    frame.until = typists.map { $0.typed + TypingUser.span }.min()
    if !typists.isEmpty { frame.lines.append(typingLine(typists)) }
    let chips = chips(shown)
    if !chips.isEmpty { frame.lines.append(Line(chips.joined(separator: " "), .dim)) }
    if let due = workNotice {
      if now < due { frame.until = min(frame.until ?? due, due) } else { frame.lines.append(Line(Self.working, .dim)) }
    }
    if let path {
      append(StyledText(path, caret: path.utf16.count) { _ in .plain }, prompt: "file: ", to: &frame)
      return frame
    }
    append(input(shown), prompt: shown.canSend ? Line("> ", .colored(.green)) : Line("> "), shown, to: &frame)
    let list = choice.meet(shown.suggestions)
    if let list { frame.lines += suggestions(list) }
    if shown.cooldown > 0 {
      frame.lines.append(Line("slow mode: send again in \(shown.cooldown) s", .dim))
    } else if list == nil, workNotice == nil, shown.hasContent, let refusal = shown.refusal {
      frame.lines.append(Line(texts.words(for: refusal), .dim))
    }
    return frame
  }

  private var notices: [Line] {
    let notice = composer.notice.map { Line(texts.words(for: $0), $0.isFailure ? .colored(.red) : .plain) }
    return [notice].compactMap(\.self) + [lost, said].compactMap(\.self).map { Line($0, .colored(.red)) }
  }

  private func typingLine(_ typists: [TypingUser]) -> Line {
    let names = typists.map { words.name(of: $0.user) }.sorted().joined(separator: ", ")
    return Line("\(names) \(typists.count == 1 ? "is" : "are") typing …", .dim)
  }

  // MARK: Chips

  private func chips(_ shown: ComposerPresentation) -> [String] {
    shown.input.compactMap { item in
      switch item.id {
      case .text, .showsInChannel: nil
      case .edit: "[\(shown.title ?? "editing") \(summary(item))]"
      case .quote: "[quoting \(summary(item))]"
      default: "[\(words(item))]"
      }
    }
  }

  private func summary(_ item: ComposerItem) -> String {
    item.label.flatMap { Message.ID(rawValue: $0) }.map { words.summary(of: $0) } ?? ""
  }

  /// Returns an item's label; for an attachment also its kind and upload state.
  private func words(_ item: ComposerItem) -> String {
    let label = item.label ?? item.id.string
    guard item.id.string.hasPrefix("attachment/"), let icon = item.icon else { return label }
    let state = [".uploading", ".failed"].first { icon.hasSuffix($0) } ?? ""
    return "\(icon.dropLast(state.count)) \(label)" + (state.isEmpty ? "" : ", \(state.dropFirst())")
  }

  // MARK: Input

  private func input(_ shown: ComposerPresentation) -> StyledText {
    let (text, selection) = (composer.typedText, composer.composer.selection)
    if text.isEmpty { return StyledText(shown.placeholder) { _ in .dim } }
    let mentioned = composer.composer.content.mentions.map(\.range)
    return StyledText(text.userText.string, caret: head.rawValue) { unit in
      let offset = UTF16Offset(rawValue: unit)
      if selection.contains(offset) { return .inverse }
      return mentioned.contains { $0.contains(offset) } ? .bold : .plain
    }
  }

  /// Appends the input to the frame; a long input is cut to the maximum number of lines, around the caret.
  private func append(
    _ text: StyledText, prompt: Line, _ shown: ComposerPresentation? = nil, to frame: inout Frame
  ) {
    let count = shown?.shouldScroll == true ? composer.options.appearance.linesMax : text.lines.count
    let start = max(0, min(text.caret.line - count + 1, text.lines.count - count))
    let end = min(start + count, text.lines.count)
    let width = prompt.runs.reduce(0) { $0 + $1.text.count }
    frame.caret = Screen.Caret(
      line: frame.lines.count + text.caret.line - start, letter: width + text.caret.letter)
    for (index, line) in text.lines.enumerated() where start <= index && index < end {
      let isCut = index == start && start > 0 || index == end - 1 && end < text.lines.count
      let other = Line((isCut ? "…" : " ").padded(to: width), .dim)
      frame.lines.append((index == 0 ? prompt : other) + line)
    }
  }

  // MARK: Suggestions

  private func suggestions(_ list: SuggestionList) -> [Line] {
    if list.isLoading { return [Line("  …", .dim)] }
    let chosen = choice.chosen(in: list)
    let index = list.items.firstIndex { $0.id == chosen?.id } ?? 0
    let start = max(0, min(index - Self.suggestionsMax + 1, list.items.count - Self.suggestionsMax))
    return list.items.dropFirst(start).prefix(Self.suggestionsMax).map { item in
      let isChosen = item.id == chosen?.id
      let title = Line(" \(item.title) ", isChosen ? .inverse : .plain)
      return Line(" ") + title + Line(item.detail.map { " \($0)" } ?? "", .dim)
    }
  }
}

extension String {
  func padded(to count: Int) -> String { self + String(repeating: " ", count: max(0, count - self.count)) }
}
