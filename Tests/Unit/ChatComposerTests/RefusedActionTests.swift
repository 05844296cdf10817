// Tests of refused attempts as events, and of the kinds of text changes in the log.
import Chat
import ChatComposer
import Testing

@MainActor
struct RefusedActions {
  private func refusals(_ room: Room) -> [RecordedFailure.Code] {
    room.done.compactMap { if case .actionRefused(let failure) = $0 { failure.code } else { nil } }
  }

  @Test func `refused attachments are recorded with their reason`() async throws {
    let room = try await Room {
      $0.attachments.countMax = 1
      $0.attachments.byteCountMax = 10
      $0.attachments.blockedExtensions = ["exe"]
      $0.attachments.blockedMIMETypes = ["image/gif"]
    }
    func file(_ id: Attachment.ID, _ name: UserText, _ type: UserText = "text/plain", _ size: UInt64 = 1) -> Attachment
    {
      Attachment(id, .file, at: .url(name), title: name, mimeType: type, byteCount: size)
    }
    try room.composer.perform(.attach(file("a", "a.txt")))
    let before = room.composer.composer
    #expect(performRefusal(room, .attach(file("a", "b.txt"))) != nil)
    #expect(performRefusal(room, .attach(file("b", "b.txt"))) != nil)
    try room.composer.perform(.detach("a"))
    for refused in [file("b", "b.txt", "text/plain", 11), file("b", "b.exe"), file("b", "b.gif", "image/gif")] {
      #expect(performRefusal(room, .attach(refused)) != nil)
    }
    #expect(refusals(room) == ["attachmentTwice", "tooManyAttachments", "fileTooLarge", "fileExtension", "mimeType"])
    let tooLarge = ComposerRefusal.fileTooLarge(file: "b.txt", byteCount: 11, max: 10)
    #expect(room.done.contains(.actionRefused(RecordedFailure(tooLarge))))
    #expect(before.content.attachments.count == 1 && room.content.attachments.isEmpty)
    let folded = try #require(room.chat.state[room.composer.key])
    #expect(folded == room.composer.composer)
  }

  @Test func `a picked suggestion that is gone is refused and recorded`() async throws {
    let room = try await Room()
    try room.type("@b")
    #expect(await room.suggested() == ["bo"])
    try room.type("o ")
    try room.composer.perform(.setText("other"))
    #expect(throws: ComposerError.self) { try room.composer.pick("bo") }
    #expect((refusals(room), room.text) == (["suggestionGone"], "other"))
  }

  @Test func `a refusal is rebuilt from its code and values`() {
    let refusals: [ComposerRefusal] = [
      .tooManyAttachments(file: "a", max: 1), .fileTooLarge(file: "a", byteCount: 2, max: 1),
      .fileExtension(file: "a.exe", extension: "exe"), .mimeType(file: "a", type: "image/gif"),
      .attachmentTwice("a", file: "b"), .notEditable("m"), .needsMessage(.quote), .needsMessage("own"),
      .unknownCommand("/x"), .noCommandInEdit, .nothingSuggested, .busy, .suggestionGone("bo"),
    ]
    for refusal in refusals {
      let failure = RecordedFailure(refusal)
      #expect(ComposerRefusal(failure) == refusal && failure.onlyReason == nil)
      if SendRefusal(failure) == nil { #expect(failure.sentence == refusal.description) }
    }
    for code in ["fileTooLarge", "acme.x"] as [RecordedFailure.Code] {
      #expect(ComposerRefusal(RecordedFailure(code)) == nil)
    }
  }

  @Test func `a refusal with long values is recorded as far as a failure goes`() async throws {
    let room = try await Room { $0.attachments.byteCountMax = 1 }
    let name = UserText(String(repeating: "é", count: 4000))
    #expect(performRefusal(room, .attach(Attachment("a", .file, title: name, byteCount: 2))) != nil)
    guard case .actionRefused(let failure)? = room.done.last else {
      Issue.record("\(room.done)")
      return
    }
    #expect(failure.code == "fileTooLarge" && failure.reason?.string.hasPrefix("éé") == true)
  }

  @Test func `a preview that does not fit is no attempt of the user`() async throws {
    let answers = Answers<String, LinkPreview?>()
    let room = try await Room {
      $0.linkPreviews = SlowPreviews(answers: answers)
      $0.attachments.countMax = 0
    }
    try room.composer.perform(.paste("https://swift.org "))
    await until { answers.asked.count == 1 }
    answers.answer(0, LinkPreview(title: "Swift"))
    await everybodyElse()
    #expect(refusals(room) == [] && room.content.attachments.isEmpty)
  }

  @Test func `typing, pasting, deleting, replacing, undoing and redoing are told apart in the log`() async throws {
    let room = try await Room()
    for action in [
      .type("ab"), .paste("cd"), .backspace, .replace(0..<1, with: "x"), .setText("x"), .undo, .redo, .setText("xy"),
    ] as [Composer.Action] {
      try room.composer.perform(action)
    }
    let kinds = room.done.compactMap { event in
      switch event {
      case .typed(_, let kind), .replaced(_, _, _, let kind): kind
      default: nil
      }
    }
    #expect(kinds == [.typed, .pasted, .deleted, .replaced, .deleted, .undone, .redone, .typed])
  }

  @Test func `undoing the choice of a command is an undo in the log`() async throws {
    let room = try await Room()
    try room.composer.perform(.activate("giphy"))
    try room.composer.perform(.undo)
    #expect(room.content.command == nil)
    guard case .replaced(let splice, _, _, .undone)? = room.done.last else {
      Issue.record("\(room.done)")
      return
    }
    #expect(splice.text.isEmpty && splice.range.isEmpty)
  }
}
