// Words with the looks that they bring along.
internal import ChatMessageList
public import Foundation

extension TerminalText {
  /// Words with their own looks: links with their addresses, and whoever is meant; where the system has attributes for
  /// these, also what is heavy, leaning, struck, or code.
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
  /// Takes what is marked in words; the answer stands around them, so that what is taken back, and what is to be read
  /// letter by letter, is told where there are no looks.
  fileprivate mutating func take(_ run: AttributedString.Runs.Run) -> String {
    #if canImport(Darwin)
      let intent: InlinePresentationIntent = run.inlinePresentationIntent ?? []
      isBold = intent.contains(.stronglyEmphasized)
      isItalic = intent.contains(.emphasized)
      isStruck = intent.contains(.strikethrough)
      return isStruck ? "~" : intent.contains(.code) ? "`" : ""
    #else
      // Foundation has no attributes for these here.
      return ""
    #endif
  }
}
