// What documentation comments hold and do not hold: summaries with a subject, and no private words.
import Testing

struct Documentation {
  @Test func `a summary names its subject`() {
    expectNone(SourceTree.swift.filter { $0.lies(in: "Sources") }.flatMap(poorSummaries))
  }

  @Test func `documentation uses the established terms`() {
    expectNone(SourceTree.swift.filter { $0.lies(in: "Sources") }.flatMap(privateWords))
  }
}

// MARK: Reading documentation comments

/// A paragraph of a documentation comment, the line it begins on, and whether it is the first of its comment.
private struct Paragraph {
  let index: Int
  let text: String
  let isSummary: Bool
}

private func paragraphs(in file: SourceFile) -> [Paragraph] {
  let lines = file.lines.map { $0.drop { $0 == " " } }
  var found: [Paragraph] = []
  var (start, words, isSummary) = (0, [Substring](), true)
  func end() {
    if !words.isEmpty {
      found.append(Paragraph(index: start, text: words.joined(separator: " "), isSummary: isSummary))
    }
    words = []
  }
  for (index, line) in lines.enumerated() {
    guard line.hasPrefix("///") else {
      end()
      isSummary = true
      continue
    }
    let text = line.dropFirst(3).drop { $0 == " " }
    if text.isEmpty {
      end()
      isSummary = false
    } else {
      if words.isEmpty { start = index }
      words.append(text)
    }
  }
  end()
  return found
}

/// Words that begin a riddle instead of naming the subject.
private let pronouns: Set = [
  "How", "It", "Of", "That", "They", "Those", "What", "When", "Where", "Which", "Who", "Whoever", "Whose",
]

func poorSummaries(in file: SourceFile) -> [String] {
  paragraphs(in: file).filter(\.isSummary).compactMap { paragraph in
    let words = paragraph.text.prefix { !".;:".contains($0) }.split(separator: " ")
    if words.count < 2 { return file.complaint(paragraph.index, "a summary of one word; name the subject") }
    if pronouns.contains(String(words[0])) {
      return file.complaint(paragraph.index, "a summary that begins with “\(words[0])”; name the subject")
    }
    return nil
  }
}

func privateWords(in file: SourceFile) -> [String] {
  let banned =
    #/
    (?i)\b(tells?|told
    |testif(?:y|ied|ies)|whoever|somebody|comes?\ to|came\ of|(?:folded|made)\ anew|(?:are|is)\ lent)\b
    /#
  return paragraphs(in: file).compactMap { paragraph in
    guard let match = paragraph.text.firstMatch(of: banned) else { return nil }
    return file.complaint(
      paragraph.index, "“\(match.1)” hides the subject or replaces an established term; say what happens")
  }
}

// MARK: Each check can fail

struct `Documentation that is wrong` {
  @Test func `a summary without a subject is reported`() {
    let file = SourceFile(
      "A.swift", lines: "/// Who.", "let a = 1", "/// What differs from what.", "let b = 1",
      "/// The rows that differ.",
      "///", "/// What is here is no summary.", "let c = 1")
    #expect(poorSummaries(in: file).count == 2)
  }

  @Test func `a private word is reported`() {
    let file = SourceFile(
      "A.swift", lines: "/// The caller is told of it.", "let a = 1", "// Somebody else.", "/// Returns a story.",
      "let b = 1")
    #expect(privateWords(in: file).count == 1)
  }
}
