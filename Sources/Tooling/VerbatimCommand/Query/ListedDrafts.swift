// Drafts, as lines that people read.
internal import Chat
internal import ChatComposer
internal import ChatProjections
internal import Terminal

/// Drafts, to be shown.
struct ListedDrafts: Sendable {
  let drafts: [DraftItem]
  let times: Times

  /// Two lines for each, no wider than a window where ids and times leave it to be so.
  func lines(columns: Int) -> [String] {
    ["first saved          last saved           for"]
      + drafts.flatMap { draft in
        [draft.heading(times, columns: columns), "  " + draft.words(columns: columns - 2)]
      }
  }
}

extension DraftItem {
  /// When it was saved, and for where; to a thread, what it replies to.
  fileprivate func heading(_ times: Times, columns: Int) -> String {
    let place = key.channel.text + (key.thread.map { " › \($0.text)" } ?? "")
    let start = "\(times(created))  \(times(updated))  \(place)"
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

  private var marks: [String] { content.marks }
}

extension Composition {
  /// What it holds besides what is typed.
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
  /// What stands for it in one line: what is typed, or the first of what it holds else.
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
  /// The command as it is typed, with whom it is for.
  var words: String { "/\(id.text)" + (target.map { " @\($0.text)" } ?? "") }
}
