// Stories of `verbatim deliver`.
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct `The command deliver` {
  private let folder = Folder()

  @Test func `delivers once what is due`() async throws {
    let chat = folder("chat")
    // The clock of the app is a minute late, so that its first message is due for the command, and its second is not.
    var configuration = Configuration()
    configuration.clock = { .now + .seconds(-60) }
    let workspace = try Workspace.open(at: chat, configuration: configuration)
    let ada = workspace.client(user: "ada")
    try await ada.me.create(name: "Ada")
    try await ada.channel("general").create()
    try await ada.channel("general").schedule(
      Message.Content("Good morning"), at: workspace.now + .seconds(30), id: "s1")
    try await ada.channel("general").schedule(Message.Content("Later"), at: workspace.now + .seconds(3600), id: "s2")
    await workspace.close()
    #expect(verbatim("deliver", chat, "--once").output == "Delivered 1.\n")
    let messages = verbatim("query", "messages", chat, "general", "--as", "ada").output
    #expect(messages.contains("Good morning") && !messages.contains("Later"))
    #expect(verbatim("deliver", chat, "--once").output == "Delivered 0.\n")
    #expect(verbatim("deliver", chat, "--once", "--json").output == "{\"delivered\":0}\n")
    #expect(verbatim("deliver", chat, "--json").code == .misused)
  }

  @Test func `verbs of submit join, vote and schedule`() throws {
    let chat = folder("words")
    #expect(verbatim("init", chat).code == .done)
    for arguments in [
      ["--system", "user", "ada", "name=Ada"], ["--system", "user", "ben", "name=Ben"],
      ["--as", "ada", "channel", "club", "name=Club"], ["--system", "publish", "true", "in=club"],
      ["--as", "ben", "join", "in=club"], ["--as", "ada", "poll", "Lunch?", "options=Pizza,Soup", "id=p1", "in=club"],
      ["--as", "ben", "vote", "2", "of=p1", "in=club"], ["--as", "ben", "react", "👍", "to=p1", "in=club"],
      ["--as", "ada", "poll", "Dinner?", "options=Rice,Fish", "id=p2", "extensible=true", "for=1h", "in=club"],
      ["--as", "ben", "addOption", "Beans", "of=p2", "option=3", "in=club"],
      ["--as", "ben", "addOption", "Tofu", "of=p2", "in=club"],
      ["--as", "ben", "flag", "p1", "reason=an advertisement", "in=club"], ["--as", "ada", "claim", "p1", "in=club"],
      ["--as", "ada", "unclaim", "p1", "in=club"], ["--as", "ben", "say", "Pizza!", "thread=p1", "id=r1", "in=club"],
      ["--as", "ada", "readThread", "r1", "of=p1", "in=club"],
      ["--as", "ada", "unreadThread", "r1", "of=p1", "in=club"],
      ["--as", "ben", "schedule", "Late", "for=1h", "in=club"], ["--as", "ben", "save", "p1", "in=club"],
    ] {
      let run = verbatim(["submit", chat] + arguments, input: [])
      #expect(run.code == .done, "\(arguments): \(run.errors)")
    }
    let types = verbatim("events", chat).output
    for type in [
      "voteCast", "pollOpened", "pollOptionAdded", "reviewReleased", "threadMarkedUnread", "messageScheduled",
      "messageSaved", "reactionAdded",
    ] {
      #expect(types.contains(type), "\(type)")
    }
    let review = verbatim("query", "review", chat, "p1", "--channel", "club", "--as", "ada").output
    #expect(review.contains("by Ben: an advertisement"))
    let poll = verbatim("query", "message", chat, "club", "p2", "--as", "ben", "--json").output
    #expect(poll.contains("\"isExtensible\":true") && !poll.contains("\"expiry\":\"endless\""))
    #expect(poll.contains("\"id\":\"3\",\"text\":\"Beans\"") && poll.contains("\"text\":\"Tofu\""))
  }
}
