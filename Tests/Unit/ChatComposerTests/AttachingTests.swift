// Tests of attachments: limits, upload states, and dismissed previews.
import Chat
import ChatComposer
import Testing

struct Attaching {
  private static func file(
    _ id: Chat.Attachment.ID, _ name: UserText = "notes.txt", type: UserText? = "text/plain", byteCount: UInt64? = 10
  ) -> Chat.Attachment {
    Attachment(id, .file, at: .device("file:notes"), title: name, mimeType: type, byteCount: byteCount)
  }

  @Test func `the number of attachments is limited`() {
    var desk = Desk { $0.attachments.countMax = 2 }
    desk.act(.attach(Self.file("a")))
    desk.act(.attach(Self.file("b")))
    desk.actRefused(.attach(Self.file("c", "third.txt")), .tooManyAttachments(file: "third.txt", max: 2))
    desk.act(.detach("a"))
    desk.act(.attach(Self.file("c")))
    #expect(desk.content.attachments.map(\.attachment.id) == ["b", "c"])
  }

  @Test func `attaching an existing id is refused`() {
    var desk = Desk()
    desk.act(.attach(Self.file("a")))
    desk.actRefused(.attach(Self.file("a", "other.txt")), .attachmentTwice("a", file: "notes.txt"))
  }

  @Test func `a file over the size limit is refused, also when an attachment changes`() {
    // Regression: a change of an attachment's properties was not checked.
    var desk = Desk { $0.attachments.byteCountMax = 10 }
    let refusal = ComposerRefusal.fileTooLarge(file: "notes.txt", byteCount: 11, max: 10)
    desk.actRefused(.attach(Self.file("a", byteCount: 11)), refusal)
    desk.act(.attach(Self.file("a")))
    desk.actRefused(.changeAttachment(Self.file("a", byteCount: 11)), refusal)
    desk.act(.changeAttachment(Self.file("a", byteCount: 9)))
    var workspace = ComposerContext()
    workspace.limits.uploadByteCountMax = 10
    var other = Desk(in: workspace)
    other.actRefused(.attach(Self.file("a", byteCount: 11)), refusal)
  }

  @Test func `other properties of an edited message's attachment can change, however large it is`() {
    var large = Self.file("a", byteCount: 1 << 40)
    large.location = .url("https://a.example/large")
    let message = Message.folded("m5", by: "bo", Message.Content("large", attachments: [large]))
    var desk = Desk(in: .around(message))
    desk.act(.beginEdit(message))
    large.summary = "the large one"
    desk.act(.changeAttachment(large))
    #expect(desk.content.attachments.first?.attachment.summary == "the large one")
  }

  @Test func `extensions and MIME types are allowed and blocked ignoring case`() {
    var desk = Desk {
      ($0.attachments.allowedExtensions, $0.attachments.blockedExtensions) = (["txt", "exe"], ["EXE"])
      ($0.attachments.allowedMIMETypes, $0.attachments.blockedMIMETypes) = (["text/*", "image/PNG"], ["text/html"])
    }
    desk.actRefused(.attach(Self.file("a", "a.tar.gz")), .fileExtension(file: "a.tar.gz", extension: "gz"))
    desk.actRefused(.attach(Self.file("a", "a.Exe")), .fileExtension(file: "a.Exe", extension: "exe"))
    desk.actRefused(.attach(Self.file("a", "txt")), .fileExtension(file: "txt", extension: ""))
    for type in ["image/jpeg", "text/html; charset=utf-8", "textual/x"] as [UserText] {
      desk.actRefused(.attach(Self.file("a", type: type)), .mimeType(file: "notes.txt", type: type))
    }
    desk.actRefused(.attach(Self.file("a", type: nil)), .mimeType(file: "notes.txt", type: "unknown"))
    desk.act(.attach(Self.file("a", "A.TXT", type: "Text/Plain; charset=utf-8")))
    desk.act(.attach(Self.file("b", type: "image/png")))
    desk.act(.attach(Attachment("c", .link, at: .url("https://b.example"))))
    desk.act(.attach(Attachment("d", .custom("poll", payload: [1, 2]))))
    desk.actRefused(.changeAttachment(Self.file("a", "a.exe")), .fileExtension(file: "a.exe", extension: "exe"))
  }

  @Test func `an upload progresses to its end, and late steps are no-ops`() {
    var desk = Desk()
    desk.act(.attach(Self.file("a")))
    #expect(desk.content.attachments[0].upload == .local)
    for (part, permille) in [(0, 0), (0.5, 500), (.nan, nil), (0.4, nil), (0.5004, nil), (7, 1000)]
      as [(Double, UInt16?)]
    {
      let events = desk.act(.upload("a", .progressed(part)))
      #expect(events == permille.map { [.uploadProgressed("a", permille: $0)] } ?? [])
    }
    desk.act(.upload("a", .failed(.text("offline"))))
    #expect(desk.content.attachments[0].upload == .failed(.text("offline")))
    desk.actInVain(.upload("a", .progressed(0.1)))
    desk.actInVain(.upload("a", .failed(.text("again"))))
    desk.act(.upload("a", .retried))
    #expect(desk.content.attachments[0].upload == .uploading(permille: 0))
    desk.actInVain(.upload("a", .retried))
    desk.act(.upload("a", .finished(url: "https://a.example/1")))
    #expect(desk.content.attachments[0].upload == .done)
    #expect(desk.content.attachments[0].attachment.location == .url("https://a.example/1"))
    for step in [.progressed(1), .finished(url: "https://a.example/2"), .failed(.text("late")), .retried]
      as [Composer.UploadStep]
    {
      desk.actInVain(.upload("a", step))
      desk.actInVain(.upload("nothing", step))
    }
    desk.actInVain(.changeAttachment(Self.file("nothing")))
  }

  @Test func `remote and custom attachments need no upload`() {
    var desk = Desk()
    desk.act(.attach(Attachment("a", .image, at: .url("https://a.example/1"))))
    desk.act(.attach(Attachment("b", .custom("poll", payload: [1]))))
    #expect(desk.content.attachments.map(\.upload) == [.done, .done])
  }

  @Test func `a dismissed preview is removed and stays dismissed`() {
    var desk = Desk("see https://b.example and https://c.example")
    desk.act(.attach(Attachment("b", .link, at: .url("https://b.example"))))
    desk.act(.attach(Attachment("c", .link, at: .url("https://c.example"))))
    #expect(
      desk.act(.dismissPreview(url: "https://b.example")) == [
        .previewDismissed(url: "https://b.example"), .detached("b"),
      ])
    desk.actInVain(.dismissPreview(url: "https://b.example"))
    desk.restart()
    #expect(desk.content.dismissedPreviews == ["https://b.example"])
    #expect(desk.content.attachments.map(\.attachment.id) == ["c"])
  }
}
