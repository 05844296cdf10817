// Threat: a line of a script is submitted as another intent than the one it names, or a documented intent has no form.
import ChatSamples
import Foundation
import JSONLines
import Testing
import Verbatim

@testable import VerbatimCommand

private let key = Message.Key("general", "m1")
private let end = Timestamp(rawValue: 1_767_225_600_000_000)

/// A line of each kind of intent, and the intent.
private let intents: [(line: String, intent: ChatIntent)] = [
  (
    #"{"user":"ada","create":{"name":"Ada","image":"i"}}"#,
    .user("ada", .create(User.Profile(name: "Ada", image: "i")))
  ),
  (
    #"{"user":"ada","change":{"name":"A","extra":{"n":[1,null]}}}"#,
    .user("ada", .change(User.Profile(name: "A", extra: ["n": .list([1, .null])])))
  ),
  (#"{"user":"ada","changeRole":{"role":"admin"}}"#, .user("ada", .changeRole("admin"))),
  (#"{"user":"ada","deactivate":{}}"#, .user("ada", .deactivate)),
  (#"{"user":"ada","reactivate":{}}"#, .user("ada", .reactivate)),
  (
    #"{"device":{"id":"phone"},"add":{"name":"Phone","pushToken":"t"}}"#,
    .device(Device.Key("me", "phone"), .add(Device.Info(name: "Phone", pushToken: "t")))
  ),
  (#"{"device":{"user":"ada","id":"phone"},"remove":{}}"#, .device(Device.Key("ada", "phone"), .remove)),
  (#"{"mute":{"target":{"user":"ben"}},"begin":{}}"#, .mute(Mute.Key(by: "me", of: .user("ben")), .begin(.endless))),
  (#"{"mute":{"user":"ada","target":{"channel":"c"}},"end":{}}"#, .mute(Mute.Key(by: "ada", of: .channel("c")), .end)),
  (
    #"{"ban":{"user":"ben","scope":{"channel":"c"}},"impose":{"until":"2026-01-01T00:00:00Z","reason":"r"}}"#,
    .ban(Ban.Key(of: "ben", from: .channel("c")), .impose(.until(end), reason: "r"))
  ),
  (#"{"ban":{"user":"ben","scope":"everywhere"},"lift":{}}"#, .ban(Ban.Key(of: "ben", from: .everywhere), .lift)),
  (
    #"{"flag":{"target":{"message":{"channel":"general","id":"m1"}}},"raise":{"reason":"r"}}"#,
    .flag(Flag.Key(by: "me", on: .message(key)), .raise(reason: "r"))
  ),
  (#"{"flag":{"target":{"user":"ben"}},"raise":{}}"#, .flag(Flag.Key(by: "me", on: .user("ben")), .raise(reason: nil))),
  (
    #"{"channel":"c","create":{"kind":"duo","name":"C","config":{"off":["quotes"]},"members":["ben"]}}"#,
    .channel("c", .create("duo", Channel.Profile(name: "C"), ChannelConfig(off: [.quotes]), members: ["ben"]))
  ),
  (
    #"{"channel":"c","create":{}}"#, .channel("c", .create("team", Channel.Profile(), ChannelConfig(), members: []))
  ),
  (#"{"channel":"c","change":{"name":"D"}}"#, .channel("c", .change(Channel.Profile(name: "D")))),
  (
    #"{"channel":"c","configure":{"messageLengthMax":9,"slowMode":3,"commands":["ban"]}}"#,
    .channel("c", .configure(ChannelConfig(messageLengthMax: 9, slowMode: 3, commands: ["ban"])))
  ),
  (#"{"channel":"c","setSlowMode":{"seconds":5}}"#, .channel("c", .setSlowMode(5))),
  (#"{"channel":"c","freeze":{}}"#, .channel("c", .freeze)),
  (#"{"channel":"c","unfreeze":{}}"#, .channel("c", .unfreeze)),
  (#"{"channel":"c","truncate":{"through":"m1"}}"#, .channel("c", .truncate(through: "m1"))),
  (#"{"channel":"c","delete":{}}"#, .channel("c", .delete)),
  (#"{"member":{"channel":"c","user":"ben"},"add":{}}"#, .member(Member.Key("c", "ben"), .add(.member))),
  (#"{"member":{"channel":"c","user":"ben"},"remove":{}}"#, .member(Member.Key("c", "ben"), .remove)),
  (#"{"member":{"channel":"c"},"leave":{}}"#, .member(Member.Key("c", "me"), .leave)),
  (
    #"{"member":{"channel":"c","user":"ben"},"changeRole":{"role":"owner"}}"#,
    .member(Member.Key("c", "ben"), .changeRole("owner"))
  ),
  (#"{"member":{"channel":"c"},"read":{"through":"m1"}}"#, .member(Member.Key("c", "me"), .read(through: "m1"))),
  (#"{"member":{"channel":"c"},"receive":{"through":"m1"}}"#, .member(Member.Key("c", "me"), .receive(through: "m1"))),
  (#"{"member":{"channel":"c"},"markUnread":{"from":"m1"}}"#, .member(Member.Key("c", "me"), .markUnread(from: "m1"))),
  (#"{"member":{"channel":"c"},"hide":{}}"#, .member(Member.Key("c", "me"), .hide)),
  (#"{"member":{"channel":"c"},"show":{}}"#, .member(Member.Key("c", "me"), .show)),
  (#"{"message":{"channel":"general"},"send":{"text":"Hi"}}"#, .message(Message.Key("general", "new"), .send(.hi))),
  (
    #"{"message":{"channel":"general","id":"m1"},"edit":{"text":"B","mentions":[{"user":"ada","range":[0,1]}]}}"#,
    .message(key, .edit(Message.Edits(text: "B", mentions: [Mention("ada", at: 0..<1)])))
  ),
  (#"{"message":{"channel":"general","id":"m1"},"delete":{}}"#, .message(key, .delete(forGood: false))),
  (#"{"message":{"channel":"general","id":"m1"},"restore":{}}"#, .message(key, .restore)),
  (#"{"message":{"channel":"general","id":"m1"},"pin":{}}"#, .message(key, .pin(.endless))),
  (#"{"message":{"channel":"general","id":"m1"},"unpin":{}}"#, .message(key, .unpin)),
  (#"{"message":{"channel":"general","id":"m1"},"acknowledge":{}}"#, .message(key, .acknowledge)),
  (#"{"message":{"channel":"general","id":"m1"},"fail":{"reason":"r"}}"#, .message(key, .fail(reason: "r"))),
  (#"{"message":{"channel":"general","id":"m1"},"retry":{}}"#, .message(key, .retry)),
  (#"{"message":{"channel":"general","id":"m1"},"sendEphemeral":{}}"#, .message(key, .sendEphemeral)),
  (
    #"{"message":{"channel":"general","id":"m1"},"shuffleEphemeral":{"attachments":[{"id":"a","kind":"giphy"}]}}"#,
    .message(key, .shuffleEphemeral([Attachment("a", .giphy)]))
  ),
  (#"{"message":{"channel":"general","id":"m1"},"cancelEphemeral":{}}"#, .message(key, .cancelEphemeral)),
  (
    #"{"reaction":{"message":{"channel":"general","id":"m1"}},"add":{"kind":"like","score":2}}"#,
    .reaction(Reaction.Key(to: key, by: "me"), .add("like", score: 2))
  ),
  (
    #"{"reaction":{"message":{"channel":"general","id":"m1"},"user":"ben"},"remove":{"kind":"like"}}"#,
    .reaction(Reaction.Key(to: key, by: "ben"), .remove("like"))
  ),
  (
    #"{"draft":{"channel":"general","thread":"m1"},"update":{"content":{"text":"Hi"}}}"#,
    .draft(Draft.Key(by: "me", in: "general", thread: "m1"), .update(Composition("Hi"), editedAt: end))
  ),
  (
    #"{"draft":{"user":"ada","channel":"general"},"delete":{"reason":"sent","editedAt":"1970-01-01T00:00:00Z"}}"#,
    .draft(Draft.Key(by: "ada", in: "general", thread: nil), .delete(.sent, editedAt: Timestamp(rawValue: 0)))
  ),
  (
    #"{"app":{"channel":"general"},"record":{"name":"acme.voted","payload":"yes"}}"#,
    .app(.channel("general"), AppEvent("acme.voted", payload: Array("yes".utf8)))
  ),
  (
    #"{"consumer":"bot","begin":{"after":3}}"#, .consumer("bot", .begin(after: 3))
  ),
  (#"{"consumer":"bot","advance":{"through":4}}"#, .consumer("bot", .advance(through: 4))),
  (#"{"consumer":"bot","skip":{"through":4}}"#, .consumer("bot", .skip(through: 4))),
  (#"{"consumer":"bot","end":{}}"#, .consumer("bot", .end)),
  (
    #"{"member":{"channel":"c","user":"ben"},"invite":{"role":"guest"}}"#,
    .member(Member.Key("c", "ben"), .invite(.guest))
  ),
  (#"{"member":{"channel":"c"},"join":{}}"#, .member(Member.Key("c", "me"), .join)),
  (#"{"member":{"channel":"c"},"decline":{}}"#, .member(Member.Key("c", "me"), .decline)),
  (#"{"member":{"channel":"c"},"pin":{}}"#, .member(Member.Key("c", "me"), .pin)),
  (#"{"member":{"channel":"c"},"unpin":{}}"#, .member(Member.Key("c", "me"), .unpin)),
  (#"{"member":{"channel":"c"},"archive":{}}"#, .member(Member.Key("c", "me"), .archive)),
  (#"{"member":{"channel":"c"},"unarchive":{}}"#, .member(Member.Key("c", "me"), .unarchive)),
  (
    #"{"message":{"channel":"c"},"forward":{"source":{"channel":"general","id":"m1"}}}"#,
    .message(Message.Key("c", "new"), .forward(key))
  ),
  (
    #"{"message":{"channel":"general","id":"m1"},"openPoll":{"options":[{"id":"y","text":"Yes"}],"isAnonymous":true}}"#,
    .message(key, .openPoll([Poll.Option("y", "Yes")], Poll.Rules(isAnonymous: true)))
  ),
  (
    #"{"message":{"channel":"general","id":"m1"},"addPollOption":{"id":"n","text":"No"}}"#,
    .message(key, .addPollOption(Poll.Option("n", "No")))
  ),
  (#"{"message":{"channel":"general","id":"m1"},"closePoll":{}}"#, .message(key, .closePoll)),
  (#"{"block":{"blocked":"ben"},"begin":{}}"#, .block(UserBlock.Key(by: "me", of: "ben"), .begin)),
  (#"{"block":{"user":"ada","blocked":"ben"},"end":{}}"#, .block(UserBlock.Key(by: "ada", of: "ben"), .end)),
  (#"{"review":{"message":{"channel":"general","id":"m1"}},"claim":{}}"#, .review(.message(key), .claim)),
  (#"{"review":{"user":"ben"},"release":{}}"#, .review(.user("ben"), .release)),
  (
    #"{"review":{"user":"ben"},"resolve":{"outcome":"acted","note":"spam"}}"#,
    .review(.user("ben"), .resolve(.acted, note: "spam"))
  ),
  (
    #"{"savedMessage":{"message":{"channel":"general","id":"m1"}},"save":{"remindAt":"1970-01-01T00:00:00Z"}}"#,
    .saved(SavedMessage.Key(by: "me", key), .save(note: nil, remindAt: Timestamp(rawValue: 0)))
  ),
  (
    #"{"savedMessage":{"user":"ada","message":{"channel":"general","id":"m1"}},"remove":{}}"#,
    .saved(SavedMessage.Key(by: "ada", key), .remove)
  ),
  (
    #"{"savedMessage":{"message":{"channel":"general","id":"m1"}},"remind":{}}"#,
    .saved(SavedMessage.Key(by: "me", key), .remind)
  ),
  (
    #"{"scheduledMessage":{"message":{"channel":"c"}},"schedule":{"at":"1970-01-01T00:00:00Z","content":{}}}"#,
    .scheduled(
      ScheduledMessage.Key(by: "me", Message.Key("c", "new")), .schedule(Message.Content(), at: Timestamp(rawValue: 0)))
  ),
  (
    #"{"scheduledMessage":{"author":"ada","message":{"channel":"general","id":"m1"}},"cancel":{}}"#,
    .scheduled(ScheduledMessage.Key(by: "ada", key), .cancel)
  ),
  (
    #"{"scheduledMessage":{"message":{"channel":"general","id":"m1"}},"deliver":{}}"#,
    .scheduled(ScheduledMessage.Key(by: "me", key), .deliver)
  ),
  (
    #"{"thread":{"parent":{"channel":"general","id":"m1"}},"read":{"through":"m2"}}"#,
    .thread(ThreadMarker.Key(of: "me", in: key), .read(through: "m2"))
  ),
  (
    #"{"thread":{"parent":{"channel":"general","id":"m1"}},"markUnread":{"from":"m2"}}"#,
    .thread(ThreadMarker.Key(of: "me", in: key), .markUnread(from: "m2"))
  ),
  (
    #"{"vote":{"message":{"channel":"general","id":"m1"}},"cast":{"options":["y"]}}"#,
    .vote(Vote.Key(in: key, by: "me"), .cast(["y"]))
  ),
  (
    #"{"app":{"app":"x"},"record":{"name":"acme.voted","version":3,"payload64":"AP8="}}"#,
    .app(.app("x"), AppEvent("acme.voted", version: 3, payload: [0, 255]))
  ),
]

extension Message.Content {
  fileprivate static var hi: Message.Content { Message.Content("Hi") }
}

@Suite struct `The JSON of intents` {
  @Test(arguments: intents.indices)
  func `a line is read as the intent it names`(index: Int) throws {
    let (line, intent) = intents[index]
    let defaults = IntentDefaults(user: "me", message: { "new" }, editedAt: { end })
    #expect(try ChatIntent(json: JSONParser.parse(Array(line.utf8)), of: "the line", defaults) == intent)
  }

  @Test func `every kind of intent but those of composers has a line, and is on the page`() throws {
    let kinds = Set(intents.map { IntentKind($0.intent) })
    #expect(Set(IntentKind.allCases).subtracting(kinds) == [.composerRecord])
    let page = try String(contentsOf: documentation.appending(path: "Submitting.md"), encoding: .utf8)
    for (line, _) in intents {
      guard case .object(let members) = try JSONParser.parse(Array(line.utf8)),
        case .object(let values) = members[1].value
      else { continue }
      let names = "| `\(members[0].key)` | `\(members[1].key)` |"
      let row = page.split(separator: "\n").first { $0.hasPrefix(names) } ?? ""
      #expect(!row.isEmpty && values.allSatisfy { row.contains("`\($0.key)`") }, "\(line)")
    }
  }

  @Test func `values of every stored form are read from the JSON in which they are written`() throws {
    var count = 0
    for line in try frozenEvents() {
      guard case .object(let members)? = line["event"] else { continue }
      let values = members[1].value
      switch (members[0].key, members[1].key) {
      case ("message", "sent"): #expect(try Message.Content(json: values, of: "x").json == values)
      case ("message", "edited"): #expect(try Message.Edits(json: values, of: "x").json == values)
      case ("channel", "changed"): #expect(try Channel.Profile(json: values, of: "x").json == values)
      case ("channel", "configured"): #expect(try ChannelConfig(json: values, of: "x").json == values)
      case ("user", "changed"): #expect(try User.Profile(json: values, of: "x").json == values)
      case ("device", "added"): #expect(try Device.Info(json: values, of: "x").json == values)
      case ("composer", "attached"): #expect(try ComposedAttachment(json: values, of: "x").json == values)
      case ("draft", "updated"):
        let content = try #require(values["content"])
        #expect(try Composition(json: content, of: "x").json == content)
      default: continue
      }
      count += 1
    }
    #expect(count > 15)
  }
}
