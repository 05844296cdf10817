// What is drawn carries all that can be done on it, each once.
import Chat
import ChatComposer
import ChatMessageList
import ChatRendering
import TerminalRendering
import Testing

private let factory = PlainTextFactory(columns: 60)

@Test func `a list carries each action of its rows once`() {
  let layout = MessageLayout.all()
  let ids = factory.drawList(layout).actions.map(\.id)
  #expect(Set(ids).count == ids.count)
  let menus = layout.rows.flatMap { row in row.actions.elements.map { "\($0.rawValue):\(row.messageID ?? "")" } }
  let others = [
    "older", "newer", "jump:own", "vote:a:full", "reaction:👍:full", "reaction:🎉:full", "open:a1:media", "open:v1:media",
    "open:f1:file", "open:l1:link", "open:g1:giphy", "open:e1:ephemeral", "open:c1:attached",
    "ephemeral-send:ephemeral", "ephemeral-shuffle:ephemeral", "ephemeral-cancel:ephemeral",
  ]
  #expect(menus.contains("thread:full") && menus.contains("retry:failed"))
  #expect(Set(ids) == Set(menus + others))
}

@Test func `actions come in the order in which they are drawn`() {
  let ids = factory.drawList(MessageLayout.all()).actions.map(\.id)
  #expect(ids.first == "older" && ids.last == "newer")
  let full = ["jump:own", "vote:a:full", "reaction:👍:full", "reaction:🎉:full", "thread:full"]
  #expect(ids.filter { full.contains($0) } == full)
}

@Test func `a composer carries each of its actions once`() {
  let ids = factory.draw(ComposerSlot.all()).actions.map(\.id)
  #expect(
    ids == [
      "composer:edit", "composer:quote", "composer:command", "composer:attachment/f1", "composer:attachment/m1",
      "composer:attachments", "composer:commands", "composer:send", "composer:files", "suggestion:s1",
    ])
}

@Test func `what cannot be tapped is in parentheses and carries nothing`() {
  var slot = ComposerSlot.all()
  slot.presentation.trailing[0].isEnabled = false
  let drawn = factory.draw(slot)
  #expect(drawn.text(hasColors: false).contains("(Send)"))
  #expect(!drawn.actions.contains(.tap(.send)))
}

@Test func `items of lists carry where they lead`() {
  #expect(factory.makeChannelListItem(Listed.channel()).actions.map(\.id) == ["channel:general"])
  #expect(factory.makeThreadListItem(Listed.thread()).actions.map(\.id) == ["open-thread:general/m1"])
  #expect(
    factory.makeDraftListItem(Listed.draft()).actions.map(\.id) == ["draft:me/general", "delete-draft:me/general"])
}

@Test func `items of the other lists carry their actions, whose labels are never cut off`() {
  let lists = PlainTextFactory(columns: 60).drawItemLists("Words that\nare longer than a row of sixty columns is wide")
  #expect(lists[.found]?.actions.map(\.id) == ["open-message:general/found", "open-message:general/here"])
  #expect(
    lists[.flagged]?.actions.map(\.id) == [
      "open-message:general/flagged", "claim:general/flagged", "resolve:acted:general/flagged",
      "resolve:dismissed:general/flagged", "open-message:general/claimed", "release:general/claimed",
      "resolve:acted:general/claimed", "resolve:dismissed:general/claimed",
    ])
  #expect(lists[.mutes]?.actions.map(\.id) == ["unmute-user:bo", "unmute-channel:loud"])
  #expect(lists[.invitations]?.actions.map(\.id) == ["join:invited", "decline:invited"])
  #expect(lists[.publicChannels]?.actions.map(\.id) == ["join:open", "channel:own"])
  #expect(
    lists[.saved]?.actions.map(\.id) == [
      "open-message:general/kept", "unsave:general/kept", "unsave:general/gone",
    ])
  #expect(lists[.scheduled]?.actions.map(\.id) == ["channel:general", "cancel-scheduled:general/later"])
  #expect(lists[.blocks]?.actions.map(\.id) == ["unblock:bo"])
  let flagged = lists[.flagged]?.text(hasColors: false).split(separator: "\n") ?? []
  #expect(flagged.first == "ann  Words that are longer than a row of sixty columns is w…")
  for label in ["Claim", "Release", "Resolve", "Dismiss"] {
    #expect(flagged.contains { $0.contains("[\(label)]") }, "\(label)")
  }
}

@Test func `one thing that is carried twice is there once`() {
  var text = TerminalText("a")
  text.carry(.loadOlder)
  text.append(text)
  #expect(text.actions == [.loadOlder])
  #expect(text.beside(text).actions == [.loadOlder])
}
