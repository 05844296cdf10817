// The workspace and channel of a composer: opened, and created where requested.
internal import Chat
internal import ChatComposer
internal import ChatProjections
internal import Errors
internal import EventLog
internal import EventLogLMDB
internal import Verbatim

/// A channel or a thread of an open workspace, of which the user is a member.
struct ChatTarget: Sendable {
  let workspace: Workspace
  let channel: ChannelController
  let thread: Message.ID?

  /// The user who chats.
  var user: User.ID { channel.client.user }

  /// Opens the workspace, creates missing parts if requested, and throws if any part is still missing.
  static func open(
    _ command: ComposeCommand, _ configuration: Configuration, in context: Context
  ) async throws(Failure) -> ChatTarget {
    let workspace = try rethrow(
      Workspace.open(at: command.path, creates: command.creates, configuration: configuration.inTerminal(command)),
      as: { (error: WorkspaceError) in Failure(error) })
    guard let user = command.user else { preconditionFailure("the user is missing") }
    let client = workspace.client(user: user, device: command.device ?? "terminal")
    let target = ChatTarget(
      workspace: workspace, channel: client.channel(command.channel ?? .ofTerminals), thread: command.thread)
    do throws(Failure) {
      if command.creates { try await target.makeMissing(ChannelName(given: command.channelName, context: context)) }
      if let missing = try await target.missing() { throw missing.failure(in: target) }
    } catch {
      await workspace.close()
      throw error
    }
    return target
  }

  // MARK: Creation

  /// A missing part without which the user cannot write.
  private enum Missing {
    case user, channel, member, message(Message.ID)

    func failure(in target: ChatTarget) -> Failure {
      let (user, channel) = (target.user, target.channel.id)
      let sentence =
        switch self {
        case .user: "There is no user \(user): name an existing user, or create this one with --create."
        case .channel: "There is no channel \(channel): name an existing channel, or create this one with --create."
        case .member: "\(user) is not a member of \(channel): add them with --create, or ask a member to."
        case .message(let id): "There is no message \(id) in \(channel): name an existing message with --thread."
        }
      return Failure(.refused, sentence)
    }
  }

  private func isChannelMissing() async throws(Failure) -> Bool {
    let id = channel.id
    do { return try await workspace.read { reading in try reading.chat.anyChannel(id) == nil } } catch {
      throw Failure(.unable, "\(error)")
    }
  }

  private func missing() async throws(Failure) -> Missing? {
    let (user, channel, thread) = (user, channel.id, thread)
    let client = self.channel.client
    do {
      if try await workspace.read({ reading in try reading.chat.user(user) == nil }) { return .user }
      return try await client.read { reading in
        do throws(ReadError) { _ = try reading.channel(channel) } catch .refused(.notMember) {
          return .member
        } catch .refused(.unknownChannel) {
          return .channel
        } catch {
          throw error
        }
        if try reading.member(Member.Key(channel, user))?.isMember != true { return .member }
        guard let thread else { return nil }
        let parent = try ReadError.unlessRefused(reading.message(Message.Key(channel, thread)))
        return parent == nil ? .message(thread) : nil
      }
    } catch {
      throw Failure(.unable, "\(error)")
    }
  }

  /// Creates the user, then the channel, then the membership, as far as they are missing; before anything is created,
  /// asks for the name of a new channel.
  private func makeMissing(_ channelName: ChannelName) async throws(Failure) {
    let id = channel.id
    let name = try await isChannelMissing() ? channelName.read(of: id) : UserText(id.text)
    while let missing = try await missing() {
      do throws(SubmitError) {
        switch missing {
        case .user: try await channel.client.me.create(name: UserText(user.text))
        case .channel: try await channel.create("team", Channel.Profile(name: name))
        case .member: try await workspace.submit(.member(Member.Key(id, user), .add(.member)), by: .system)
        case .message: return
        }
      } catch .refused(let refusal, _) {
        // Another process may have created it first; where it is still missing, it cannot be created.
        if let still = try await self.missing(), "\(still)" == "\(missing)" {
          throw Failure(.refused, refusal.description)
        }
      } catch {
        throw Failure(.unable, "\(error)")
      }
    }
  }
}

/// The name of a new channel: the given one, or the one that the user types.
private struct ChannelName: Sendable {
  let given: String?
  let context: Context

  /// Returns the name; an empty line means the id.
  func read(of id: Channel.ID) throws(Failure) -> UserText {
    if let given { return UserText(given) }
    var output = Output(context.output)
    try output.write("The channel \(id) is new. Its name, or enter for \(id): ")
    try output.flush()
    var lines = LineReader(context.input)
    guard case .line(let bytes) = try lines.next(waits: true) else {
      try output.write("\n")
      try output.flush()
      throw Failure(.refused, "The channel \(id) has no name and was not created: type one, or give it with --name.")
    }
    guard let typed = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.misused, "The name of the channel is not UTF-8: type another, or give it with --name.")
    }
    let name = typed.drop { $0.isWhitespace }
    return UserText(name.isEmpty ? id.text : String(name))
  }
}

extension Channel.ID {
  /// The default channel of terminals.
  static var ofTerminals: Channel.ID { "general" }
}

extension Configuration {
  /// Returns the configuration for a chat in a terminal.
  fileprivate func inTerminal(_ command: ComposeCommand) -> Configuration {
    var configuration = self
    configuration.draftMessagesEnabled = command.keepsDrafts
    configuration.searchesMessages = false
    return configuration
  }
}

extension Failure {
  fileprivate init(_ error: WorkspaceError) {
    switch error {
    case .log(.missing(let path)):
      self.init(.unable, "There is no workspace at \(path): give another path, or create one with --create.")
    case .log(let error): self.init(error)
    case .otherApplication, .erasableOnServer, .keys, .projections: self.init(.unable, error.description)
    }
  }
}
