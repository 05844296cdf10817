// Text for a terminal or a pipe: styled text before line breaking.
public import ChatMessageList
internal import Foundation
public import ChatRendering

/// Styled text for a terminal or a pipe.
///
/// It may contain any user text: ``text(columns:hasColors:)`` shows a control character as a sign, so that no user text
/// moves the caret or changes a style, and breaks lines to the width of the terminal. Pieces are stacked, unless one is
/// put ``beside(_:)`` the other.
public struct TerminalText: DrawnOutput, Hashable, Sendable {
  /// The number of columns that it was drawn for; nil if the caller of ``text(columns:hasColors:)`` decides.
  public var columns: Int?
  /// The actions that can be performed on it, in drawing order, each once.
  public private(set) var actions: [SlotAction] = []
  private var known: Set<SlotAction> = []
  var blocks: [TextBlock] = []

  /// Creates an empty text.
  public init() {}

  /// Creates a text with its own line breaks, whatever it contains.
  public init(text: String) { self.init(text) }

  /// Creates a text with a style and its own line breaks; empty for an empty string.
  public init(_ text: String, _ look: TextLook = .plain) {
    if !text.isEmpty { blocks = [TextBlock(lines: TextLine.lines(of: [TextRun(text, look)]))] }
  }

  /// Creates a text on one line, broken only if it is too wide.
  init(line text: String, _ look: TextLook = .plain, _ fit: TextLine.Fit = .wrapped) {
    if !text.isEmpty { blocks = [TextBlock(lines: [TextLine([TextRun(text.inOneLine, look)], fit)])] }
  }

  init(runs: [TextRun]) { blocks = [TextBlock(lines: TextLine.lines(of: runs))] }

  /// Whether there is neither text nor an action.
  public var isEmpty: Bool { blocks.isEmpty && actions.isEmpty }

  /// Adds an action without showing it.
  public mutating func carry(_ action: SlotAction) {
    if known.insert(action).inserted { actions.append(action) }
  }

  /// Appends a text below.
  public mutating func append(_ other: TerminalText) {
    blocks += other.blocks
    carry(from: other)
  }

  /// Returns the text with another one after its last line, separated by a space.
  public func beside(_ other: TerminalText) -> TerminalText { beside(other, by: " ") }

  func beside(_ other: TerminalText, by gap: String) -> TerminalText {
    if blocks.isEmpty || other.blocks.isEmpty { return .joined([self, other]) }
    var text = self
    text.blocks[text.blocks.count - 1].join(other.blocks[0], by: gap)
    text.blocks += other.blocks.dropFirst()
    text.carry(from: other)
    return text
  }

  /// Returns the text aligned to a side, at most `width` wide: columns if above one, otherwise a fraction of all
  /// columns. Blocks that have a side keep it.
  public func placed(on side: MessageRow.Side, width: Double = 1) -> TerminalText {
    placed(TextAlignment(side: side, width: width))
  }

  func placed(_ alignment: TextAlignment) -> TerminalText {
    mapBlocks { if $0.alignment == nil { $0.alignment = alignment } }
  }

  /// Returns the text with a style added to its own.
  public func looking(_ look: TextLook) -> TerminalText {
    mapBlocks { block in
      for line in block.lines.indices {
        for run in block.lines[line].runs.indices {
          block.lines[line].runs[run].look = block.lines[line].runs[run].look.with(look)
        }
      }
    }
  }

  func mapBlocks(_ change: (inout TextBlock) -> Void) -> TerminalText {
    var text = self
    for index in text.blocks.indices { change(&text.blocks[index]) }
    return text
  }

  private mutating func carry(from other: TerminalText) {
    for action in other.actions { carry(action) }
    columns = columns ?? other.columns
  }
}

// MARK: Parts

/// Lines that are aligned together, one below the other.
struct TextBlock: Hashable, Sendable {
  var lines: [TextLine]
  /// The alignment of the lines; nil until it is set.
  var alignment: TextAlignment?
  /// The mark in the margin beside the first line: the author's picture.
  var mark: [TextRun] = []
  /// The text at the edge of the other margin: the time of a swiped list.
  var aside: [TextRun] = []
  /// The visible rows; nil for all.
  var shown: Range<Int>?

  /// Appends lines, with the first one continuing the last line.
  mutating func join(_ other: TextBlock, by gap: String) {
    guard let first = other.lines.first, let last = lines.indices.last else {
      lines += other.lines
      return
    }
    lines[last].runs += [TextRun(gap, .plain)] + first.runs
    lines += other.lines.dropFirst()
  }
}

/// The alignment and the width of lines.
struct TextAlignment: Hashable, Sendable {
  var side = MessageRow.Side.leading
  /// The maximal width: columns if above one, otherwise a fraction of all columns.
  var width: Double = 1
  /// The number of free columns before the lines.
  var before = 0
  /// The number of free columns after the lines.
  var after = 0
}

/// A line, which may be broken into several rows.
struct TextLine: Hashable, Sendable {
  var runs: [TextRun]
  var fit: Fit
  /// The prefix of the line and of its continuation rows.
  var bar: [TextRun] = []

  init(_ runs: [TextRun], _ fit: Fit = .wrapped) { (self.runs, self.fit) = (runs, fit) }

  /// The way in which a line is fitted to the width.
  enum Fit: Hashable, Sendable {
    /// The line is broken at words.
    case wrapped
    /// The line is cut off.
    case cut
    /// The line is cut off; free space on both sides is filled with strokes.
    case rule
  }

  /// Returns the runs split at line breaks.
  static func lines(of runs: [TextRun]) -> [TextLine] {
    var lines = [TextLine([])]
    for run in runs {
      let parts = run.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      for (index, part) in parts.enumerated() {
        if index > 0 { lines.append(TextLine([])) }
        if part.isEmpty { continue }
        // A tab would be shown as a sign, but usually means an indentation.
        lines[lines.count - 1].runs.append(TextRun(part.replacing("\t", with: "    "), run.look))
      }
    }
    return lines
  }
}

/// Text with one style.
struct TextRun: Hashable, Sendable {
  var text: String
  var look: TextLook

  init(_ text: some StringProtocol, _ look: TextLook = .plain) { (self.text, self.look) = (String(text), look) }
}

extension String {
  /// The text on one line, with spaces for line breaks, limited to the maximal length.
  var inOneLine: String { String(prefix(lineLengthMax).map { $0.isNewline || $0 == "\t" ? " " : $0 }) }
}

/// The maximal number of characters of a text on one line.
private let lineLengthMax = 2_000
