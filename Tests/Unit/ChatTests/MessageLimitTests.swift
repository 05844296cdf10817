// Tests of message limits: at each limit, and one beyond it.
import Chat
import Testing

struct MessageLimits {
  private func takes(_ content: Message.Content, in scene: Scene, sourceLocation: SourceLocation = #_sourceLocation) {
    scene.when(.message(.m3, .send(content)), by: .bo)
      .then(.message(.m3, .sent(content)), sourceLocation: sourceLocation)
  }

  private func refuses(
    _ content: Message.Content, _ refusal: Refusal, in scene: Scene, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    scene.when(.message(.m3, .send(content)), by: .bo).thenRefused(refusal, sourceLocation: sourceLocation)
  }

  private func editIsRefused(_ edits: Message.Edits, _ refusal: Refusal, in scene: Scene) {
    scene.when(.message(.m2, .edit(edits)), by: .bo).thenRefused(refusal)
  }

  @Test func `a text is limited in characters by the channel, however they are encoded`() {
    let scene = Scene.general.configured { $0.messageLengthMax = 5 }
    takes(Message.Content("12345"), in: scene)
    takes(Message.Content("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧e\u{301}\r\n"), in: scene)
    refuses(Message.Content("123456"), .tooLarge(.messageLength, count: 6, max: 5), in: scene)
    refuses(Message.Content("     1"), .tooLarge(.messageLength, count: 6, max: 5), in: scene)
    editIsRefused(Message.Edits(text: "éééééé"), .tooLarge(.messageLength, count: 6, max: 5), in: scene)
  }

  @Test func `a text is limited to 5,000 characters by default`() {
    takes(Message.Content(UserText(String(repeating: "é", count: 5000))), in: .general)
    let long = UserText(String(repeating: "é", count: 5001))
    refuses(Message.Content(long), .tooLarge(.messageLength, count: 5001, max: 5000), in: .general)
  }

  @Test func `a text is limited in bytes, however few its characters are`() {
    let scene = Scene.general { $0.limits.textByteCountMax = 8 }
    takes(Message.Content("éééé"), in: scene)
    refuses(Message.Content("ééééa"), .tooLarge(.textByteCount, count: 9, max: 8), in: scene)
    editIsRefused(Message.Edits(text: "ééééa"), .tooLarge(.textByteCount, count: 9, max: 8), in: scene)
  }

  @Test func `an edit of other parts is accepted though the text is too long by now`() {
    Scene.general.configured { $0.messageLengthMax = 1 }
      .when(.message(.m2, .edit(Message.Edits(extra: ["mood": "good"]))), by: .bo)
      .then(.message(.m2, .edited(Message.Edits(extra: ["mood": "good"]))))
  }

  @Test func `a message is limited to ten attachments by default`() {
    let files = (1...11).map { Chat.Attachment.file(ID(stringLiteral: "f\($0)")) }
    takes(Message.Content(attachments: Array(files.dropLast())), in: .general)
    refuses(Message.Content(attachments: files), .tooLarge(.attachments, count: 11, max: 10), in: .general)
    editIsRefused(Message.Edits(attachments: files), .tooLarge(.attachments, count: 11, max: 10), in: .general)
  }

  @Test func `attachment ids are unique in a message`() {
    refuses(Message.Content(attachments: [.picture, .wave, .picture]), .attachmentTwice("picture"), in: .general)
    editIsRefused(Message.Edits(attachments: [.picture, .picture]), .attachmentTwice("picture"), in: .general)
  }

  @Test func `an attachment's content is limited in bytes, and the refusal names it`() {
    let scene = Scene.general { $0.limits.uploadByteCountMax = 100 }
    takes(Message.Content(attachments: [.file("f", byteCount: 100)]), in: scene)
    let refusal = Refusal.tooLarge(.uploadByteCount("f"), count: 101, max: 100)
    refuses(Message.Content(attachments: [.file("f", byteCount: 101)]), refusal, in: scene)
    #expect("\(refusal)".contains("the attachment f"))
    let immense = Message.Content(attachments: [.file("f", byteCount: .max)])
    refuses(immense, .tooLarge(.uploadByteCount("f"), count: .max, max: 100), in: scene)
  }

  @Test func `the stored form of an attachment is limited in bytes`() {
    let scene = Scene.general { $0.limits.attachmentByteCountMax = 164 }
    let own = { Chat.Attachment("own", .custom("map", payload: Array(repeating: 0, count: $0))) }
    takes(Message.Content(attachments: [own(100)]), in: scene)
    refuses(Message.Content(attachments: [own(101)]), .tooLarge(.attachmentByteCount, count: 165, max: 164), in: scene)
  }

  @Test func `an attachment must be reachable by others`() {
    let nowhere = Chat.Attachment("a", .file)
    for attachment in [nowhere, Chat.Attachment("a", .link, at: .device("/a")), .init("a", .file, at: .device("/a"))] {
      refuses(Message.Content(attachments: [attachment]), .notUploaded("a"), in: .general)
      editIsRefused(Message.Edits(attachments: [attachment]), .notUploaded("a"), in: .general)
    }
    takes(Message.Content(attachments: [Chat.Attachment("a", .link), .init("b", .giphy)]), in: .general)
  }

  @Test func `mentions are limited in number, and must be of existing users`() {
    let scene = Scene.general { $0.limits.mentionsMax = 2 }
    let mentions = [Mention("ada", at: 0..<1), Mention("bo", at: 1..<2), Mention("cy", at: 2..<3)]
    takes(Message.Content("abc", mentions: Array(mentions.prefix(2))), in: scene)
    refuses(Message.Content("abc", mentions: mentions), .tooLarge(.mentions, count: 3, max: 2), in: scene)
    editIsRefused(
      Message.Edits(text: "abc", mentions: mentions), .tooLarge(.mentions, count: 3, max: 2), in: scene)
    refuses(Message.Content("a", mentions: [Mention("nobody", at: 0..<1)]), .unknownUser("nobody"), in: scene)
  }

  @Test(arguments: [
    [Mention("ada", at: 0..<6)], [Mention("ada", at: 5..<6)], [Mention("ada", at: -1..<2)], [Mention("ada", at: 2..<3)],
    [Mention("ada", at: 0..<2), Mention("bo", at: 1..<2)], [Mention("ada", at: 4..<5), Mention("bo", at: 0..<1)],
    [Mention("ada", at: 1..<1)],
  ])
  func `mentions cover whole characters of the text, each after the preceding one`(mentions: [Mention]) throws {
    let misplaced = try #require(mentions.last)
    refuses(Message.Content("ab🙂c", mentions: mentions), .mentionMisplaced(misplaced), in: .general)
    takes(Message.Content("ab🙂c", mentions: [Mention("ada", at: 0..<2), Mention("bo", at: 2..<4)]), in: .general)
  }

  @Test func `a text that becomes too short for its mentions needs others`() {
    let scene = Scene.withThird(Message.Content("hi @ada", mentions: [Mention("ada", at: 3..<7)]))
    scene.when(.message(.m3, .edit(Message.Edits(text: "hi"))), by: .bo)
      .thenRefused(.mentionMisplaced(Mention("ada", at: 3..<7)))
    let edits = Message.Edits(text: "hi", mentions: [])
    scene.when(.message(.m3, .edit(edits)), by: .bo).then(.message(.m3, .edited(edits)))
  }

  @Test func `an app's values are limited in bytes`() {
    let scene = Scene.general { $0.limits.extraByteCountMax = 20 }
    takes(Message.Content("3", extra: ["mood": "12345678"]), in: scene)
    let large: Extra = ["mood": "123456789"]
    refuses(Message.Content("3", extra: large), .tooLarge(.extraByteCount, count: 21, max: 20), in: scene)
    editIsRefused(Message.Edits(extra: large), .tooLarge(.extraByteCount, count: 21, max: 20), in: scene)
  }

  @Test func `an app's values are limited in depth, on messages and on attachments`() {
    let scene = Scene.general { $0.limits.extraDepthMax = 3 }
    takes(Message.Content("3", extra: .nested(3)), in: scene)
    let refusal = Refusal.tooLarge(.extraDepth, count: 4, max: 3)
    refuses(Message.Content("3", extra: .nested(4)), refusal, in: scene)
    editIsRefused(Message.Edits(extra: .nested(4)), refusal, in: scene)
    refuses(Message.Content(attachments: [.init("w", .giphy, extra: .nested(4))]), refusal, in: scene)
  }

  @Test func `no rule allows values deeper than the stored form`() {
    let scene = Scene.general { $0.limits.extraDepthMax = .max }
    takes(Message.Content("3", extra: .nested(Limits.storedDepthMax)), in: scene)
    let deeper = Message.Content("3", extra: .nested(Limits.storedDepthMax + 1))
    refuses(deeper, .tooLarge(.extraDepth, count: 33, max: 32), in: scene)
  }
}

extension Extra {
  /// Returns nested values of a depth; lists and fields alternate.
  static func nested(_ depth: Int) -> Extra {
    depth <= 1 ? ["end": 1] : depth == 2 ? ["in": .list([true])] : ["in": .list([.fields(nested(depth - 2))])]
  }
}
