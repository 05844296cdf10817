// A page of drafts, as lines that people read.
internal import Chat
internal import ChatComposer
internal import ChatViews
internal import EventLog
internal import Terminal

/// A page of drafts, to be shown.
struct ListedDrafts: Sendable {
  /// As they stood here.
  let position: Position
  let drafts: [DraftItem]
  /// Where the next page begins; nil when there is none.
  let next: DraftCursor?
  /// How to go on; nil when there is nothing more.
  private let following: String?
  private let isFirst: Bool

  init(_ page: DraftPage, isFirst: Bool, following: (DraftCursor) -> String) {
    (position, drafts, next, self.isFirst) = (page.position, page.drafts, page.next, isFirst)
    self.following = page.next.map { following($0) }
  }

  /// Two lines for each, no wider than a window where ids and times leave it to be so.
  func text(columns: Int) -> String {
    guard !drafts.isEmpty else { return isFirst ? "There are no drafts.\n" : "There are no more drafts.\n" }
    var lines = ["first saved           last saved            for"]
    for draft in drafts { lines += [draft.heading(columns: columns), "  " + draft.words(columns: columns - 2)] }
    if let following { lines += ["", "There are more: \(following)"] }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension DraftItem {
  /// When it was saved, and for where; to a thread, what it replies to.
  fileprivate func heading(columns: Int) -> String {
    let place = key.channel.text + (key.thread.map { " › \($0.text)" } ?? "")
    let start = "\(created.toTheSecond)  \(updated.toTheSecond)  \(place)"
    return (Line(start).text(cutTo: .max) + parentWords(columns: columns - start.count))
  }

  private func parentWords(columns: Int) -> String {
    guard let parent, columns > 12 else { return "" }
    let author = parent.author.map { " \($0.text)" } ?? " the app"
    let words = parent.presence == .present ? parent.content.text.string.inOneLine : "(deleted)"
    return Line("\(author): \(words)").text(cutTo: columns)
  }

  /// What it says, and in brackets what else it holds; the brackets are never cut off.
  fileprivate func words(columns: Int) -> String {
    let marks = marks.map { "  [\($0)]" }.joined()
    return Line(content.words).text(cutTo: max(20, columns - Line(marks).columns)) + Line(marks).text(cutTo: .max)
  }

  private var marks: [String] {
    var marks: [String] = []
    if !content.attachments.isEmpty {
      marks.append("\(content.attachments.count) attachment\(content.attachments.count == 1 ? "" : "s")")
    }
    if let command = content.command { marks.append(command.words) }
    if let quoted = content.quoted { marks.append("quotes \(quoted.text)") }
    if content.showsInChannel { marks.append("also in the channel") }
    if content.isSilent { marks.append("silent") }
    return marks
  }
}

extension Composition {
  /// What stands for it in one line: what is typed, or the first of what it holds else.
  fileprivate var words: String {
    switch preview {
    case .text(let text): text.wording.string.inOneLine
    case .attachment(let composed):
      "\(composed.attachment.kind.name) \(composed.attachment.title?.string ?? composed.attachment.id.text)".inOneLine
    case .command, .quote, nil: "(no text)"
    }
  }
}

extension ComposedCommand {
  fileprivate var words: String { "/\(id.text)" + (target.map { " @\($0.text)" } ?? "") }
}

extension Instant {
  /// The point as RFC 3339 writes it, in UTC, without what is less than a second.
  fileprivate var toTheSecond: String { description.prefix { $0 != "." && $0 != "Z" } + "Z" }
}

extension String {
  /// The text with spaces where lines end and where there are tabs.
  var inOneLine: String { String(map { $0.isNewline || $0 == "\t" ? " " : $0 }) }
}
