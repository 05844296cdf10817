// Threat: drafts are shown with wrong content, or their text controls the terminal.
import Foundation
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct `A query for drafts` {
  private let folder = Folder()

  @Test func `drafts are listed with their target, times and content`() async throws {
    let drafts = try await Drafts(in: folder)
    #expect(drafts.query().output == "There are no drafts.\n")
    try await drafts.ben.channel("general").send("Who comes,\nwhen?", id: "m1")
    try await drafts.save("  Hello,\n\tBen  ", in: "general")
    try await drafts.save("I do", in: "general", "m1")
    try await drafts.save(.full, in: "random")
    try await drafts.save("Hello, Ben", in: "general")
    let shown = drafts.query()
    #expect(
      shown.output == """
        first saved          last saved           for
        2026-01-01 00:00:03  2026-01-01 00:00:03  random
          file a.txt  [2 attachments]  [/mute @ben]  [quotes m1]  [silent]
        2026-01-01 00:00:02  2026-01-01 00:00:02  general › m1 ben: Who comes, when?
          I do
        2026-01-01 00:00:01  2026-01-01 00:00:04  general
          Hello, Ben\n
        """)
    #expect(shown.code == .done && shown.errors == "")
    // A deleted message is not shown to a user who may not restore it, nor is its text.
    try await drafts.ben.channel("general").delete("m1")
    #expect(drafts.query().output.contains("general › m1 ben: (deleted)\n"))
    await drafts.close()
  }

  @Test func `drafts are complete in one line of JSON`() async throws {
    let drafts = try await Drafts(in: folder)
    #expect(drafts.query("--json").lines.map { $0.contains(#","drafts":[]}"#) } == [true])
    try await drafts.ben.channel("general").send("Who?", id: "m1")
    try await drafts.save("I \"do\"\u{1B}", in: "general", "m1")
    try await drafts.save(.full, in: "random")
    let run = drafts.query("--json", "--limit", "1", "--now", "2026-01-01T00:00:02Z")
    let next = try #require(run.values("next").first)
    #expect(
      run.output == """
        {"position":\(try #require(run.values("position").first)),"instant":"2026-01-01T00:00:02.000000Z",\
        "drafts":[{"key":{"user":"ada","channel":"random"},"content":{"text":"","mentions":[],"attachments":[\
        {"attachment":{"id":"a","kind":"file","location":{"url":"https://example.org/a.txt"},"title":"a.txt",\
        "byteCount":5,"extra":{"n":[1,2.5,null,true,"nan"]}},"upload":"done"},{"attachment":{"id":"b","kind":\
        {"custom":"shape","payload":"\\u0001\\u0002"},"location":"none","extra":{}},"upload":{"failed":\
        {"code":"text","values":{"reason":"too far"}}}}],\
        "command":{"id":"mute","target":"ben"},"quoted":"m1","showsInChannel":false,\
        "isSilent":true,"extra":{"a":{"b":-1}},"dismissedPreviews":["https://example.org"]},\
        "channelName":"A channel",\
        "created":"2026-01-01T00:00:02.000000Z","updated":"2026-01-01T00:00:02.000000Z",\
        "edit":{"at":"2026-01-01T00:00:02.000000Z","device":"phone"}}],"next":"\(next)"}\n
        """)
    let rest = drafts.query("--json", "--page", next).output
    #expect(rest.contains(#""drafts":[{"key":{"user":"ada","channel":"general","thread":"m1"},"content":{"text":"I"#))
    #expect(
      rest.contains(#""text":"I \"do\"\u001b""#) && rest.contains(#""parent":{"key":{"channel":"general","id":"m1"}"#))
    #expect(!rest.contains(#""next""#))
    await drafts.close()
  }

  @Test func `pages show the state of the first page, and its command leads to the next`() async throws {
    let drafts = try await Drafts(in: folder, "it's a chat")
    try await drafts.saveReplies(1...9)
    var run = drafts.query("--limit", "4", "--sort", "updated")
    var (words, pages) = (run.words, 1)
    while let following = run.following {
      // Drafts at the beginning of the list and further on are changed, discarded and added.
      try await drafts.save("changed", in: "general", "m9")
      try await drafts.save("also", in: "general", "m2")
      try await drafts.discard("general", "m7")
      try await drafts.saveReplies(10 + pages...10 + pages)
      let (start, rest) = (following.prefix(2), following.dropFirst(5))
      #expect(following.dropFirst(2).prefix(3).joined(separator: " ") == "'\(folder.path)/it'\\''s a chat'")
      run = verbatim(start + [drafts.path] + rest, input: [])
      (words, pages) = (words + run.words, pages + 1)
    }
    #expect(pages == 3)
    #expect(words == (1...9).map { "reply \($0)" })
    #expect(!run.output.contains("There are more"))
    // Later queries show the present state.
    #expect(drafts.query("--limit", "100", "--sort", "updated").words.contains("changed"))
    await drafts.close()
  }

  @Test func `drafts are sorted by any keys`() async throws {
    let drafts = try await Drafts(in: folder)
    try await drafts.ben.channel("general").send("Who?", id: "m1")
    try await drafts.save("1", in: "random")
    try await drafts.save("2", in: "general", "m1")
    try await drafts.save("3", in: "general")
    try await drafts.save("4", in: "random")
    let orders: [([String], String)] = [
      ([], "324"), (["created"], "423"), (["created:asc"], "423"), (["created:desc"], "324"), (["updated"], "234"),
      (["updated:desc"], "432"), (["channel"], "324"), (["channel:desc"], "432"), (["channel", "updated"], "234"),
      (["channel:desc", "created:desc"], "432"),
    ]
    for (sorting, expected) in orders {
      let options = sorting.flatMap { ["--sort", $0] }
      let run = verbatim(["query", "drafts", drafts.path, "--as=ada"] + options, input: [])
      #expect(run.words.joined() == expected, "\(sorting)")
    }
    #expect(drafts.query("--offset", "1").words == ["2", "4"])
    #expect(drafts.query("--offset", "3").output == "There are no more drafts.\n")
    #expect(drafts.query("--offset", "1", "--limit", "1").places == ["general › m1"])
    await drafts.close()
  }

  @Test func `hostile text in a draft is printed on one line with visible signs`() async throws {
    let drafts = try await Drafts(in: folder)
    let hostile: UserText = "\u{1B}[2J\u{1B}]0;title\u{7}\r\nsecond\u{9B}31m \u{202E}turned\u{0}\u{7F}\u{85}\u{2028}end"
    try await drafts.ben.channel("general").send(Message.Content(hostile), id: "m1")
    try await drafts.save(TypedText(hostile), in: "general", "m1")
    var content = Composition()
    content.attachments = [ComposedAttachment(Attachment("a", .file, title: hostile), .done)]
    try await drafts.save(content, in: "general")
    try await drafts.save(TypedText(String(repeating: "東", count: 200)), in: "random")
    let run = drafts.query()
    #expect(run.lines.count == 7)
    let forbidden = run.output.unicodeScalars.filter { scalar in
      scalar != "\n" && (scalar.properties.generalCategory == .control || (0x2028...0x202E).contains(scalar.value))
    }
    #expect(Array(forbidden) == [])
    #expect(run.words[0] == String(repeating: "東", count: 38) + "…")
    #expect(run.words[1].hasPrefix("file ␛[2J␛]0;title␇ second") && run.words[1].hasSuffix("[1 attachment]"))
    #expect(run.words[2].hasPrefix("␛[2J␛]0;title␇ second\u{FFFD}31m"))
    #expect(run.lines.allSatisfy { $0.count <= 80 })
    await drafts.close()
  }
}

extension Composition {
  /// A composition with every kind of content except text.
  fileprivate static var full: Composition {
    var content = Composition()
    let file = Attachment(
      "a", .file, at: .url("https://example.org/a.txt"), title: "a.txt", byteCount: 5,
      extra: ["n": .list([1, 2.5, .null, true, .number(.nan)])])
    let shape = Attachment("b", .custom("shape", payload: [1, 2]))
    content.attachments = [ComposedAttachment(file, .done), ComposedAttachment(shape, .failed(.text("too far")))]
    content.command = ComposedCommand("mute", target: "ben")
    content.quoted = "m1"
    content.isSilent = true
    content.extra = ["a": .fields(["b": -1])]
    content.dismissedPreviews = ["https://example.org"]
    return content
  }
}
