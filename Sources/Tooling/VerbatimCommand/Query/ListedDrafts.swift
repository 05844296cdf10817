// Drafts as lines for people.
internal import Chat
internal import ChatComposer
internal import ChatProjections
internal import Terminal

/// A list of drafts, formatted as text.
struct ListedDrafts: Sendable {
  let drafts: [DraftItem]
  let times: Times

  /// Returns two lines for each draft, no wider than a width as far as ids and times allow.
  func lines(columns: Int) -> [String] {
    ["first saved          last saved           for"]
      + drafts.flatMap { draft in
        [draft.heading(times, columns: columns), "  " + draft.words(columns: columns - 2)]
      }
  }
}

extension DraftItem {
  /// Returns the times and the target of the draft; for a thread, also its parent message.
  fileprivate func heading(_ times: Times, columns: Int) -> String {
    let target = key.channel.text + (key.thread.map { " › \($0.text)" } ?? "")
    let start = "\(times(created))  \(times(updated))  \(target)"
    return (Line(start).text(cutTo: .max) + parentWords(columns: columns - start.count))
  }

  private func parentWords(columns: Int) -> String {
    guard let parent, columns > 12 else { return "" }
    let author = parent.author.map { " \($0.text)" } ?? " the app"
    let words = parent.presence == .present ? parent.content.text.string.inOneLine : "(deleted)"
    return Line("\(author): \(words)").text(cutTo: columns)
  }

  /// Returns the content, and in brackets what else the draft contains; the brackets are never truncated.
  fileprivate func words(columns: Int) -> String {
    let marks = marks.map { "  [\($0)]" }.joined()
    return Line(content.words).text(cutTo: max(20, columns - Line(marks).columns)) + Line(marks).text(cutTo: .max)
  }

  private var marks: [String] { content.marks }
}

extension Composition {
  /// The content besides the typed text.
  var marks: [String] {
    var marks: [String] = []
    if !attachments.isEmpty {
      marks.append("\(attachments.count) attachment\(attachments.count == 1 ? "" : "s")")
    }
    if let command { marks.append(command.words) }
    if let quoted { marks.append("quotes \(quoted.text)") }
    if showsInChannel { marks.append("also in the channel") }
    if isSilent { marks.append("silent") }
    return marks
  }
}

extension Composition {
  /// The content in one line: the typed text, or else the first attachment.
  var words: String {
    switch preview {
    case .text, .attachment: preview?.words ?? ""
    case .command, .quote, nil: "(no text)"
    }
  }
}

extension DraftPreview {
  /// The preview in one line.
  var words: String {
    switch self {
    case .text(let text): text.userText.string.inOneLine
    case .attachment(let composed):
      "\(composed.attachment.kind.name) \(composed.attachment.title?.string ?? composed.attachment.id.text)".inOneLine
    case .command(let command): command.words
    case .quote(let message): "[quotes \(message.text)]"
    }
  }
}

extension ComposedCommand {
  /// The command as typed, with its target.
  var words: String { "/\(id.text)" + (target.map { " @\($0.text)" } ?? "") }
}
