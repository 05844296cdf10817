// Threat: the command line does not show what users save, schedule, block, join and vote, or what moderators decide.
import JSONLines
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct `Queries of reviews, polls, saved messages and joining` {
  private let folder = Folder()

  @Test func `moderators see the queue, one review, and every decision`() async throws {
    let chat = try await Drafts(in: folder)
    let (ada, ben) = (chat.ada.channel("general"), chat.ben.channel("general"))
    chat.pass()
    try await ada.send("Buy now", id: "m1")
    #expect(chat.ask("reviews", "--channel", "general").output == "There are no open reviews.\n")
    try await ben.flag("m1", reason: "spam")
    try await ada.flag("m1", reason: "dull")
    try await ada.claimReview(of: "m1")
    #expect(
      chat.ask("reviews", "--channel", "general").output == """
        message  since                flags  claimed by  reasons
        m1       2026-01-01 00:00:01      2  Ada         dull; spam\n
        """)
    chat.pass()
    try await ada.resolveFlags(on: "m1", as: .dismissed, note: "an advertisement")
    try await ben.flag("m1", reason: "again")
    #expect(
      chat.ask("review", "m1", "--channel", "general").output == """
        target         m1
        open flags     1
        resolved flag  2026-01-01 00:00:01 by Ada: dull
        flag           2026-01-01 00:00:02 by Ben: again
        decision       dismissed, 2026-01-01 00:00:02 by Ada: an advertisement\n
        """)
    #expect(chat.ask("reviews", "--channel", "general").lines.last?.split(separator: " ").suffix(2) == ["1", "again"])
    #expect(chat.ask("review", "m2", "--channel", "general").output == "m2 was never flagged.\n")
    #expect(chat.ask("reviews", "--channel", "general", as: "ben").code == .refused)
    #expect(chat.ask("review", "m1", "--channel", "general", as: "ben").code == .refused)
    #expect(chat.ask("reviews").code == .refused, "Ada moderates the channel, but is no administrator")
    #expect(chat.ask("review", "a/b").code == .misused)
    await chat.close()
  }

  @Test func `a user sees their saved and scheduled messages, their blocks, and votes`() async throws {
    let chat = try await Drafts(in: folder)
    let (ada, ben) = (chat.ada.channel("general"), chat.ben.channel("general"))
    let tomorrow = Timestamp(rawValue: 1_767_225_600_000_000 + 86_400_000_000)
    try await ada.sendPoll("Where?", ["In the park", "At home"], id: "p1")
    try await ben.vote(for: ["1"], in: "p1")
    try await ben.save("p1", note: "decide", remindAt: tomorrow)
    try await ben.schedule(Message.Content("Good morning"), at: tomorrow, id: "s1")
    #expect(
      chat.ask("votes", "general", "p1").output == """
        user  name  for
        ben   Ben   In the park\n
        """)
    #expect(chat.ask("votes", "general", "p1", "--option", "2").output == "There are no votes.\n")
    #expect(
      chat.ask("saved", as: "ben").output == """
        message     saved                reminder             note    what
        general/p1  2026-01-01 00:00:00  2026-01-02 00:00:00  decide  Where?\n
        """)
    #expect(
      chat.ask("scheduled", as: "ben").output == """
        message     at                   what\("")
        general/s1  2026-01-02 00:00:00  Good morning\n
        """)
    #expect(chat.ask("saved").output == "There are no saved messages.\n")
    try await chat.ada.user("ben").block()
    #expect(chat.ask("blocks").lines.last == "ben   Ben")
    #expect(chat.ask("blocks", as: "ben").output == "There are no blocked users.\n")
    let json = try JSONParser.parse(Array(chat.ask("votes", "general", "p1", "--json").output.utf8).dropLast())
    guard case .array(let votes) = json["votes"] else { throw InputDefect("\(json)") }
    #expect(votes.map { $0["key"]?["user"]?.text } == ["ben"], "\(json)")
    // The poll of a message was shown as the object that stores it: `boxedPoll`.
    let shown = try JSONParser.parse(Array(chat.ask("messages", "general", "--json").output.utf8).dropLast())
    guard case .array(let messages) = shown["messages"] else { throw InputDefect("\(shown)") }
    let polls = messages.filter { $0["key"]?["id"]?.text == "p1" }.map { $0["poll"]?["options"] }
    #expect(polls.count == 1 && polls.first??.text.contains("In the park") == true, "\(shown)")
    #expect(!shown.text.contains("boxed"))
    await chat.close()
  }

  @Test func `the app sees whom a message concerns and who is online`() async throws {
    let chat = try await Drafts(in: folder)
    let (ada, ben) = (chat.ada.channel("general"), chat.ben.channel("general"))
    try await ben.send("Question", id: "m1")
    try await ada.send(Message.Content("Answer", quoted: "m1"), id: "m2")
    try await ada.send(Message.Content("Nothing", isSilent: true), id: "m3")
    try await chat.ben.me.add("tablet", Device.Info(name: "Tablet"))
    #expect(
      chat.ask(app: "recipients", "general", "m2").output == """
        user  reason  devices
        ben   quote   tablet\n
        """)
    #expect(chat.ask(app: "recipients", "general", "m1").lines.last?.split(separator: " ") == ["ada", "channel"])
    #expect(chat.ask(app: "recipients", "general", "m3").output == "Nobody is to be notified.\n")
    let recipients = chat.ask(app: "recipients", "general", "m2", "--json").output
    #expect(recipients.hasPrefix(#"{"recipients":[{"user":"ben","reason":"quote","devices":[{"key":"#))

    #expect(chat.ask(app: "presence").output == "Nobody was ever online.\n")
    // The command has the clock of the machine.
    let present = try Workspace.open(at: chat.path)
    let online = try present.client(user: "ben").me.appear()
    let seen = try #require(await present.presence(of: ["ben"])["ben"]?.lastSeen)
    #expect(
      chat.ask(app: "presence", "ada", "ben").lines.map { $0.split(separator: " ").prefix(2) } == [
        ["user", "last"], ["ada", "never"], ["ben", "online"],
      ])
    #expect(
      chat.ask(app: "presence", "--json").output
        == #"{"presence":[{"user":"ben","isOnline":true,"lastSeen":"\#(seen)"}]}"# + "\n")
    await online.end()
    #expect(chat.ask(app: "presence", "ben", "--json").output.contains(#""isOnline":false"#))
    await present.close()
    await chat.close()
  }

  @Test func `channels that a user can join, and those pinned or in the archive, are listed`() async throws {
    let chat = try await Drafts(in: folder)
    let design = chat.ada.channel("design")
    try await design.create("team", Channel.Profile(name: "Design"), config: ChannelConfig(isPublic: true))
    let secret = chat.ada.channel("secret")
    try await secret.create("team", Channel.Profile(name: "Secret"))
    try await secret.invite("ben")
    #expect(
      chat.ask("public", "--name", "des", as: "ben").output == """
        channel  name    members\("")
        design   Design        1\n
        """)
    #expect(chat.ask("public", "--name", "x", as: "ben").output == "There are no public channels.\n")
    #expect(
      chat.ask("invitations", as: "ben").lines.last?.hasPrefix("secret   Secret  2026-01-01 00:00:00  ada") == true)
    try await chat.ben.channel("secret").decline()
    #expect(chat.ask("invitations", as: "ben").output == "There are no invitations.\n")
    #expect(chat.ask("invitations", "--declined", as: "ben").lines.last?.hasSuffix("declined") == true)
    try await chat.ben.channel("random").archive()
    try await chat.ben.channel("general").pin()
    let names = { (lines: [String]) in lines.dropFirst().compactMap { $0.split(separator: " ").first } }
    #expect(names(chat.ask("channels", as: "ben").lines) == ["general"])
    #expect(chat.ask("channels", as: "ben").output.contains("A channel [pinned]"))
    #expect(names(chat.ask("channels", "--archived", as: "ben").lines) == ["random"])
    await chat.close()
  }
}
