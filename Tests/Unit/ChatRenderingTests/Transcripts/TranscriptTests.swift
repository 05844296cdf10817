// Every transcript is drawn as it is frozen in `Fixtures/transcripts`, and together they show everything.
import ChatMessageList
import Testing

struct `A transcript` {
  @Test(arguments: transcripts) func `is drawn byte for byte as it is frozen`(transcript: any Transcript) throws {
    for form in transcript.forms {
      let path = "Fixtures/transcripts/\(form.name)"
      guard let held = form.held else {
        try form.write()
        Issue.record("\(path) was missing: it is written now; look at it, and keep it if it is as it should be")
        continue
      }
      if Array(held.utf8) == Array(form.text.utf8) { continue }
      Issue.record(
        """
        \(path) is drawn otherwise now: where that is wanted, delete the file, run the test twice and look at what it \
        wrote.
        \(lineDifference(from: held, to: form.text))
        """)
    }
  }

  @Test func `draws every file that lies there`() {
    let drawn = Set(transcripts.flatMap(\.forms).map(\.name))
    #expect(Frozen.names.subtracting(drawn) == [], "delete these, or give each a transcript in Transcripts/")
    #expect(Set(transcripts.map(\.name)).count == transcripts.count)
  }

  @Test func `is there for every kind of row, content, place, delivery and remark`() {
    let rows = transcripts.flatMap(\.rows)
    #expect(kindNames.subtracting(rows.map(\.kind.name)) == [])
    #expect(contentNames.subtracting(rows.map(\.content.name)) == [])
    #expect(positionNames.subtracting(rows.filter(\.isBubble).map(\.position.name)) == [])
    #expect(deliveryNames.subtracting(rows.compactMap { $0.showsDelivery ? $0.delivery?.name : nil }) == [])
    #expect(MessageAnnotations(rows.flatMap(\.annotations.elements)).elements.count == 4)
    #expect(Set(rows.compactMap(\.quote?.state)).count == 3)
  }
}

struct `A difference between lines` {
  @Test func `tells what went and what came, with what is around`() {
    let old = (1...9).map { "line \($0)\n" }.joined()
    let new = old.replacing("line 5\n", with: "line five\n")
    let told = lineDifference(from: old, to: new)
    #expect(told == "@@ line 3 @@\n line 3\n line 4\n-line 5\n+line five\n line 6\n line 7\n")
  }

  @Test func `tells of sequences, and of other ends of lines`() {
    #expect(lineDifference(from: "a", to: "\u{1B}[1ma") == "@@ line 1 @@\n-a\n+␛[1ma\n")
    #expect(lineDifference(from: "a\nb", to: "a\r\nb") == "@@ line 1 @@\n-a\n+a\r\n b\n")
    #expect(lineDifference(from: "a", to: "a") == "")
  }
}

// MARK: All that there is

private let kindNames: Set = [
  "message", "system", "date", "unread", "typing", "start", "older", "newer", "thread", "notice",
]
private let contentNames: Set = [
  "text", "emoji", "image", "media", "file", "link", "giphy", "custom", "deleted", "ephemeral",
]
private let positionNames: Set = ["single", "first", "middle", "last"]
private let deliveryNames: Set = ["pending", "sent", "delivered", "read", "failed"]

// A case that is added is missed here by the compiler, and then by the test.

extension MessageRow.Kind {
  fileprivate var name: String {
    switch self {
    case .message: "message"
    case .system: "system"
    case .dateSeparator: "date"
    case .unreadSeparator: "unread"
    case .typing: "typing"
    case .conversationStart: "start"
    case .loadOlder: "older"
    case .loadNewer: "newer"
    case .threadSeparator: "thread"
    case .notice: "notice"
    }
  }
}

extension MessageContent {
  fileprivate var name: String {
    switch self {
    case .text: "text"
    case .jumboEmoji: "emoji"
    case .image: "image"
    case .media: "media"
    case .file: "file"
    case .link: "link"
    case .giphy: "giphy"
    case .custom: "custom"
    case .deletedPlaceholder: "deleted"
    case .ephemeral: "ephemeral"
    }
  }
}

extension MessageRow.Position {
  fileprivate var name: String {
    switch self {
    case .single: "single"
    case .first: "first"
    case .middle: "middle"
    case .last: "last"
    }
  }
}

extension MessageDelivery {
  fileprivate var name: String {
    switch self {
    case .pending: "pending"
    case .sent: "sent"
    case .delivered: "delivered"
    case .read: "read"
    case .failed: "failed"
    }
  }
}
