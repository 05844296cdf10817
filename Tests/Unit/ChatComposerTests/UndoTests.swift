// Tests of undo: the size of steps, and the boundary between texts.
import Chat
import ChatComposer
import Testing

struct Undoing {
  @Test func `a word with the space after it is one undo step`() {
    var desk = Desk()
    desk.type("one two")
    desk.act(.undo)
    #expect(desk.shown == "one |")
    desk.act(.undo)
    #expect(desk.shown == "|")
    #expect(!desk.reducer.canUndo)
    desk.act(.redo)
    #expect(desk.shown == "one |")
    desk.act(.redo)
    #expect(desk.shown == "one two|")
    #expect(desk.reducer.canRedo == false)
  }

  @Test func `caret reports of a text view after each letter do not split a step`() {
    // Regression: each no-op caret move ended the run, so that undo removed single letters.
    var desk = Desk()
    for (count, text) in ["o", "on", "one"].enumerated() {
      desk.act(.setText(text))
      desk.actInVain(.moveSelection(count + 1..<count + 1))
    }
    desk.act(.undo)
    #expect(desk.shown == "|")
  }

  @Test func `text typed in an edit is not undone in the content set aside`() {
    // Regression: a quote ends an edit but kept its undo steps, which then changed the other text.
    var desk = Desk("mine", in: .around(.two))
    desk.act(.beginEdit(.two))
    desk.type("!")
    desk.act(.quote("m1"))
    #expect(desk.shown == "mine|")
    #expect(!desk.reducer.canUndo)
    desk.actInVain(.undo)
  }

  @Test func `an undo never crosses into another text`() {
    let ends: [(inout Desk) -> Void] = [
      { $0.act(.beginEdit(.two)) }, { $0.act(.clear) }, { $0.act(.enter("poll", keeping: .all)) },
      { $0.commit(.sent("m9", keeping: nil)) }, { $0.commit(.left(keepingContent: false)) },
    ]
    for end in ends {
      var desk = Desk()
      desk.type("mine")
      end(&desk)
      #expect(!desk.reducer.canUndo)
    }
    var desk = Desk()
    desk.type("mine")
    desk.act(.quote("m1"))
    desk.act(.undo)
    #expect(desk.shown == "|")
    #expect(desk.composer.quoting == "m1")
  }
}

extension Message {
  /// A message by Ada and one by Bo.
  static let one = folded("m1", by: "ada", Message.Content("one"))
  static let two = folded("m2", by: "bo", Message.Content("two"))

  /// Returns a message that was sent to the channel.
  static func folded(_ id: Message.ID, by author: User.ID, _ content: Message.Content) -> Message {
    var state = InMemoryChatState()
    let key = Message.Key("general", id)
    fold(
      ChatEvent(.message(key, .sent(content)), EventOrigin(by: .user(author), at: Desk.now)), into: &state)
    guard let message = state[key] else { preconditionFailure("\(key) was not folded") }
    return message
  }
}
