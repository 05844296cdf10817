// Tests of permissions beyond the channel and own messages: all users, global bans, messages of other users.
import Chat
import ChatComposer
import Testing

@MainActor
struct WiderRights {
  @Test func `all users are suggested if the app enables it, else members only`() async throws {
    for all in [false, true] {
      let room = try await Room { options in
        var commands = DefaultCommandsConfig()
        commands.mentionAllAppUsers = all
        options.commands = commands
      }
      try room.chat.submit([.user("dora", .create(User.Profile(name: "Dora")))], by: .user("dora"))
      try room.type("@dor")
      #expect(await room.suggested() == (all ? ["dora"] : []))
    }
  }

  @Test func `a user banned everywhere is refused before and after the submit`() async throws {
    let room = try await Room()
    try room.type("Hello")
    let ban = Ban.Key(of: "ada", from: .everywhere)
    try room.chat.submit([.ban(ban, .impose(.endless, reason: nil))], by: .system)
    await until { room.composer.refusal != nil }
    #expect(room.composer.refusal == .banned(until: nil))
    #expect(await room.refused() == .banned(until: nil))
    #expect(room.text == "Hello")
  }

  @Test func `a message of another user is edited only with the capability to edit any`() async throws {
    for role in [.owner, .member] as [Role] {
      let room = try await Room(as: role)
      let message = try room.say(Message.Content("by Bo"), as: "bo")
      do throws(ComposerError) {
        try room.composer.perform(.beginEdit(message))
        #expect(role == .owner)
        try room.composer.perform(.setText("by Ada"))
        #expect(try await room.composer.send() == .edit("said"))
        #expect(room.chat.state[message.key]?.content.text == "by Ada")
      } catch {
        #expect(role == .member, "\(error)")
        #expect(room.text.isEmpty)
      }
    }
  }
}
