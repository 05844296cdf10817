// Text for a terminal or a pipe: words with their looks, before it is known how wide they may lie.
public import ChatMessageList
internal import Foundation

/// Text for a terminal or a pipe.
///
/// It holds words that may be anything: ``text(columns:hasColors:)`` shows a control character as a sign, so that
/// nothing that somebody wrote moves the caret or changes a look, and breaks lines so that none is wider than the
/// terminal. Pieces lie one below the other, unless one is put ``beside(_:)`` the other.
public struct TerminalText: DrawnOutput, Hashable, Sendable {
  /// How many columns it was drawn for; nil where whoever prints it has to say so.
  public var columns: Int?
  /// What can be done on it, in the order in which it is drawn, each once.
  public private(set) var actions: [SlotAction] = []
  private var known: Set<SlotAction> = []
  var blocks: [TextBlock] = []

  /// Nothing.
  public init() {}

  /// Words, which may hold anything, in as many lines as they have.
  public init(text: String) { self.init(text) }

  /// Words with a look, in as many lines as they have; none for no words.
  public init(_ text: String, _ look: TextLook = .plain) {
    if !text.isEmpty { blocks = [TextBlock(lines: TextLine.lines(of: [TextRun(text, look)]))] }
  }

  /// Words that lie in one line, whatever they hold, and are broken only where they are too wide.
  init(line text: String, _ look: TextLook = .plain, _ fit: TextLine.Fit = .wrapped) {
    if !text.isEmpty { blocks = [TextBlock(lines: [TextLine([TextRun(text.inOneLine, look)], fit)])] }
  }

  init(runs: [TextRun]) { blocks = [TextBlock(lines: TextLine.lines(of: runs))] }

  /// Whether there is nothing: no words, and nothing to be done.
  public var isEmpty: Bool { blocks.isEmpty && actions.isEmpty }

  /// Adds something that can be done on it, which it does not show.
  public mutating func carry(_ action: SlotAction) {
    if known.insert(action).inserted { actions.append(action) }
  }

  /// Puts something below it.
  public mutating func append(_ other: TerminalText) {
    blocks += other.blocks
    carry(from: other)
  }

  /// Puts something behind its last line, after a space.
  public func beside(_ other: TerminalText) -> TerminalText { beside(other, by: " ") }

  func beside(_ other: TerminalText, by gap: String) -> TerminalText {
    if blocks.isEmpty || other.blocks.isEmpty { return .joined([self, other]) }
    var text = self
    text.blocks[text.blocks.count - 1].join(other.blocks[0], by: gap)
    text.blocks += other.blocks.dropFirst()
    text.carry(from: other)
    return text
  }

  /// On a side, no wider than some columns or, where that is no more than one, a part of them all. What has a side
  /// already keeps it.
  public func placed(on side: MessageRow.Side, width: Double = 1) -> TerminalText {
    placed(TextAlignment(side: side, width: width))
  }

  func placed(_ place: TextAlignment) -> TerminalText {
    mapBlocks { if $0.place == nil { $0.place = place } }
  }

  /// With a look, besides those that its words have.
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

// MARK: Pieces

/// Lines that lie together: on one side, below one another.
struct TextBlock: Hashable, Sendable {
  var lines: [TextLine]
  /// Where they lie; nil before somebody decides.
  var place: TextAlignment?
  /// What stands in the room beside them, before or behind the first: the picture of who says it.
  var mark: [TextRun] = []
  /// Which of its rows are shown; nil for all.
  var shown: Range<Int>?

  /// Puts the first line of other lines behind the last.
  mutating func join(_ other: TextBlock, by gap: String) {
    guard let first = other.lines.first, let last = lines.indices.last else {
      lines += other.lines
      return
    }
    lines[last].runs += [TextRun(gap, .plain)] + first.runs
    lines += other.lines.dropFirst()
  }
}

/// Where lines lie.
struct TextAlignment: Hashable, Sendable {
  var side = MessageRow.Side.leading
  /// How wide they may become: so many columns or, up to one, such a part of all.
  var width: Double = 1
  /// How many columns stay free before them.
  var before = 0
  /// How many columns stay free behind them.
  var after = 0
}

/// A line, which may be broken into several.
struct TextLine: Hashable, Sendable {
  var runs: [TextRun]
  var fit: Fit
  /// What stands before it, and before what is broken off it.
  var bar: [TextRun] = []

  init(_ runs: [TextRun], _ fit: Fit = .wrapped) { (self.runs, self.fit) = (runs, fit) }

  /// What becomes of a line that is too wide, or not wide at all.
  enum Fit: Hashable, Sendable {
    /// It is broken at words.
    case wrapped
    /// It is cut.
    case cut
    /// It is cut; where there is room, strokes fill that on both sides.
    case rule
  }

  /// Runs in as many lines as they have.
  static func lines(of runs: [TextRun]) -> [TextLine] {
    var lines = [TextLine([])]
    for run in runs {
      let parts = run.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      for (index, part) in parts.enumerated() {
        if index > 0 { lines.append(TextLine([])) }
        if part.isEmpty { continue }
        // A tab would be shown as a sign, although most of them mean a step.
        lines[lines.count - 1].runs.append(TextRun(part.replacing("\t", with: "    "), run.look))
      }
    }
    return lines
  }
}

/// Letters that look alike.
struct TextRun: Hashable, Sendable {
  var text: String
  var look: TextLook

  init(_ text: some StringProtocol, _ look: TextLook = .plain) { (self.text, self.look) = (String(text), look) }
}

extension String {
  /// In one line, with a space for what would begin another; no longer than a line can ever be.
  var inOneLine: String { String(prefix(lineLengthMax).map { $0.isNewline || $0 == "\t" ? " " : $0 }) }
}

/// How many letters of something are shown that has one line.
private let lineLengthMax = 2_000
