// A channel, as a view shows it.
public import Chat
internal import ChatCodec
public import ChatProjections
public import Observation

/// A channel with its newest messages, kept as they are while the model is there: for a view that observes it.
///
/// What it shows changes when it is another than before, and not otherwise. Messages are shown from some message on to
/// the newest: earlier ones when they are asked for; where they become more than are kept, the earliest go.
@MainActor @Observable
public final class ChannelModel {
  /// The channel; nil before it was read.
  public private(set) var channel: Channel?
  /// The messages, the newest last.
  public private(set) var messages: [Message] = []
  /// Whether there are earlier ones.
  public private(set) var hasEarlier = false
  /// Others who type, in the order of their ids.
  public private(set) var typing: [User.ID] = []
  /// How much of the channel waits for the person.
  public private(set) var unread = Unread.none
  /// Whether the channel is muted for the person.
  public private(set) var isMuted = false
  /// Why what is shown is not as it stands; nil while all is well. What is refused comes again when it is granted;
  /// after any other failure it is for ``retry()`` to go on.
  public private(set) var failure: ReadError?

  @ObservationIgnored private let controller: ChannelController
  @ObservationIgnored private let pageSize: Int
  @ObservationIgnored private var keptMax: Int
  @ObservationIgnored private var task: Task<Void, Never>?
  /// The message behind which those begin that are shown; nil for the newest page.
  @ObservationIgnored private var start: Message.Number?

  /// A channel, to a person.
  public init(of controller: ChannelController, pageSize: Int = 50, keptMax: Int = 1000) {
    (self.controller, self.pageSize, self.keptMax) = (controller, max(1, pageSize), max(keptMax, pageSize, 1))
    follow()
  }

  deinit { task?.cancel() }

  /// Shows a page of earlier messages, as soon as it is read; throws when it cannot be.
  public func loadEarlier() async throws(ReadError) {
    guard hasEarlier, let first = messages.first else { return }
    let page = try await controller.messages(.before(first.number), limit: pageSize)
    start = page.messages.first?.number.previous ?? .zero
    keptMax = max(keptMax, messages.count + page.messages.count)
    follow()
  }

  /// Goes on after a failure.
  public func retry() {
    if failure != nil { failure = nil }
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
    return LiveQuery { subject, _ in
      switch subject {
      // Who types may be banned everywhere, or deactivated.
      case .user, .channel(id): true
      case .composer(let key): key.channel == id && key.thread == nil && key.user != user
      case .channel, .draft, .app: false
      }
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
