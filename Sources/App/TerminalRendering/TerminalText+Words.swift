// Terminal text from attributed strings.
internal import ChatMessageList
public import Foundation
internal import ChatRendering

extension TerminalText {
  /// Creates a text with its own styles: links with their addresses, and mentions; on systems with the attributes, also
  /// bold, italic, struck-through and code.
  public init(_ text: AttributedString) {
    self.init()
    if text.characters.isEmpty { return }
    let runs = text.runs.flatMap { TerminalText.runs(of: $0, String(text.characters[$0.range])) }
    blocks = [TextBlock(lines: TextLine.lines(of: runs))]
  }

  private static func runs(of run: AttributedString.Runs.Run, _ words: String) -> [TextRun] {
    var look = TextLook()
    let sign = look.take(run)
    if run[MentionAttribute.self] != nil { look.isBold = true }
    look.isUnderlined = run.link != nil
    var runs = [TextRun(sign + words + sign, look)]
    if let address = run.link?.absoluteString, address != words { runs.append(TextRun(" <\(address)>", .dim)) }
    return runs
  }
}

extension TextLook {
  /// Applies the run's styles; returns a sign to put around the text, so that struck-through text and code are
  /// recognizable without styles.
  fileprivate mutating func take(_ run: AttributedString.Runs.Run) -> String {
    #if canImport(Darwin)
      let intent: InlinePresentationIntent = run.inlinePresentationIntent ?? []
      isBold = intent.contains(.stronglyEmphasized)
      isItalic = intent.contains(.emphasized)
      isStruck = intent.contains(.strikethrough)
      return isStruck ? "~" : intent.contains(.code) ? "`" : ""
    #else
      // Foundation has no such attributes on this system.
      return ""
    #endif
  }
}
