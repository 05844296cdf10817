// Threat: the preview of a draft shows the wrong part, or white space.
import Chat
import Testing

struct `Draft preview` {
  private let files = ["one", "two"].map { name in
    ComposedAttachment(Attachment(ID(stringLiteral: name), .file), .local)
  }

  /// Returns a composition with some of the possible parts.
  private func composition(_ text: TypedText, files: Bool, command: Bool, quote: Bool) -> Composition {
    var content = Composition(text)
    if files { content.attachments = self.files }
    if command { content.command = ComposedCommand("mute", target: "ben") }
    if quote { content.quoted = "m1" }
    return content
  }

  @Test func `the preview is the text, else the first attachment, else the command, else the quote`() {
    for bits in 0..<16 {
      let (text, files) = (bits & 1 == 0 ? TypedText() : "so", bits & 2 != 0)
      let (command, quote) = (bits & 4 != 0, bits & 8 != 0)
      let content = composition(text, files: files, command: command, quote: quote)
      let expected: DraftPreview? =
        if !text.isEmpty {
          .text("so")
        } else if files {
          .attachment(self.files[0])
        } else if command {
          .command(ComposedCommand("mute", target: "ben"))
        } else {
          quote ? .quote("m1") : nil
        }
      #expect(content.preview == expected, "\(bits)")
      #expect((content.preview != nil) == content.hasContent, "\(bits)")
    }
  }

  @Test(arguments: ["", " ", "\u{2003}\r\n\t", "\u{85}\u{3000}"] as [TypedText])
  func `the preview is never white space`(blank: TypedText) {
    var content = Composition(blank)
    (content.isSilent, content.extra) = (true, ["note": .text("so")])
    #expect(content.preview == nil && !content.hasContent)
    content.attachments = files
    #expect(content.preview == .attachment(files[0]))
  }

  @Test func `the preview is trimmed of white space, and otherwise whole`() {
    #expect(Composition("\n\u{A0}so  it\nis \t").preview == .text("so  it\nis"))
    #expect(Composition(" \u{1F600} ").preview == .text("\u{1F600}"))
    #expect(Composition("\u{200B}").preview == .text("\u{200B}"))
  }
}
