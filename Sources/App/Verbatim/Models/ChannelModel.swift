// An observable model of a channel.
public import Chat
internal import ChatCodec
public import ChatProjections
public import Observation

/// A channel with its newest messages, updated while the model exists: for a view that observes it.
///
/// A property changes only when its value differs from before. The messages are a window that ends at the newest one
/// and extends towards earlier ones on demand; beyond the maximum, the earliest are dropped.
@MainActor @Observable
public final class ChannelModel {
  /// The channel; nil until it is read.
  public private(set) var channel: Channel?
  /// The messages, the newest last.
  public private(set) var messages: [Message] = []
  /// Whether there are earlier messages.
  public private(set) var hasEarlier = false
  /// The other users who are typing, in the order of their ids.
  public private(set) var typing: [User.ID] = []
  /// The user's unread counts in the channel.
  public private(set) var unread = Unread.none
  /// Whether the user has muted the channel.
  public private(set) var isMuted = false
  /// The error that keeps the shown values out of date; nil if there is none. After a refusal, updates resume once
  /// access is granted; after any other failure, once the values can be read, which is tried every second.
  public private(set) var failure: ReadError?

  @ObservationIgnored private let controller: ChannelController
  @ObservationIgnored private let pageSize: Int
  @ObservationIgnored private var keptMax: Int
  @ObservationIgnored private var task: Task<Void, Never>?
  /// The number of the message before the first shown one; nil for the newest page.
  @ObservationIgnored private var start: Message.Number?

  /// Creates a model of a channel.
  public init(of controller: ChannelController, pageSize: Int = 50, keptMax: Int = 1000) {
    (self.controller, self.pageSize, self.keptMax) = (controller, max(1, pageSize), max(keptMax, pageSize, 1))
    follow()
  }

  deinit { task?.cancel() }

  /// Extends the window by a page of earlier messages, which it has when this returns; throws if it cannot be read.
  public func loadEarlier() async throws(ReadError) {
    guard hasEarlier, let first = messages.first else { return }
    let page = try await controller.messages(.before(first.number), limit: pageSize)
    start = page.messages.first?.number.previous ?? .zero
    keptMax = max(keptMax, messages.count + page.messages.count)
    defer { follow() }
    let question = question
    show(try await controller.client.ask { reading throws(ReadError) in try question.ask(reading, nil).answer })
  }

  /// Reads the values at once, also after a failure.
  public func retry() {
    if failure != nil { failure = nil }
    // The window keeps the messages by which it has grown.
    if start == nil { start = messages.first?.number.previous }
    follow()
  }

  private struct Shown: Equatable {
    var channel: Channel
    var messages: [Message]
    var hasEarlier: Bool
    var typing: [User.ID]
    var unread: Unread
    var isMuted: Bool
  }

  private func follow() {
    task?.cancel()
    task = LiveQueryResults(to: question, by: controller.client).show(in: self) { model, answer in
      switch answer {
      case .success(let shown): model.show(shown)
      case .failure(let error): model.failure = error
      }
    }
  }

  private func show(_ shown: Shown) {
    if failure != nil { failure = nil }
    if channel != shown.channel { channel = shown.channel }
    if messages != shown.messages { messages = shown.messages }
    if hasEarlier != shown.hasEarlier { hasEarlier = shown.hasEarlier }
    if typing != shown.typing { typing = shown.typing }
    if unread != shown.unread { unread = shown.unread }
    if isMuted != shown.isMuted { isMuted = shown.isMuted }
  }

  private var question: LiveQuery<Shown> {
    let (id, user, start) = (controller.id, controller.client.user, start)
    let (pageSize, keptMax) = (pageSize, keptMax)
    return LiveQuery { subject, shown in
      switch subject {
      case .user(user), .channel(id): true
      // A typing user may be banned from the chat or deactivated.
      case .user(let other): shown?.typing.contains(other) ?? true
      case .composer(let key): key.channel == id && key.thread == nil && key.user != user
      case .channel, .draft, .consumer, .app: false
      }
    } dependsOnTargets: { reading, targets, shown throws(ReadError) in
      if !targets.channels.isEmpty { return true }
      return try reading.isTypingOther(in: targets) { key in shown?.typing.contains(key.user) ?? false }
    } ask: { reading, before throws(ReadError) in
      let first = start ?? before?.messages.first?.number.previous
      let window = try reading.window(of: id, nil, behind: first, pageSize: pageSize, keptMax: keptMax)
      let typing = try reading.typing(in: id)
      let mute = try reading.mute(of: .channel(id))
      let shown = Shown(
        channel: try reading.channel(id), messages: window.messages, hasEarlier: window.older != nil,
        typing: typing.map(\.user).sorted(), unread: try reading.unread(in: id), isMuted: mute != nil)
      let ban = try reading.ban(in: id)?.term.end
      let ends = [try reading.mutesEnd(), ban, typing.map(\.end).min()]
      return (shown, ends.compactMap { $0 }.min())
    }
  }
}
