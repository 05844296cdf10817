// An observable model of a channel's or a thread's messages as rows.
public import Chat
internal import ChatCodec
public import ChatMessageList
internal import ChatProjections
public import Observation
public import Verbatim

/// The messages of a channel or a thread as rows, updated while the model exists: for a view that observes it.
///
/// The messages are a window that ends at the newest one and extends towards earlier ones on demand. It has a maximum:
/// as messages arrive, the earliest are dropped; as earlier ones are loaded, the latest. After that, and after a jump
/// to a message or an instant, the window also extends towards later ones on demand, until it ends at the newest again.
/// A change derives only the rows that it touches; ``lastDiff`` is the difference of the rows. The unread separator
/// keeps its position from when the model was created.
@MainActor @Observable
public final class MessageListModel {
  /// The rows.
  public private(set) var layout: MessageLayout<ChatMessage>
  /// The difference between the last two states of the rows. If several changes were made since an observer last drew,
  /// it is that of the last one only: then the observer draws all rows.
  public private(set) var lastDiff = RowDiff()
  /// The channel; nil until it is read.
  public private(set) var channel: Channel?
  /// The other users who are typing, in the order of their ids.
  public private(set) var typing: [MessageSender] = []
  /// Whether the messages were read once.
  public private(set) var isLoaded = false
  /// Whether earlier messages are being loaded.
  public private(set) var isLoadingEarlier = false
  /// The error that keeps the shown values out of date; nil if there is none. After a refusal, updates resume once
  /// access is granted; after any other failure, once the values can be read, which is tried every second.
  public private(set) var failure: ReadError?

  /// The controller of the channel.
  @ObservationIgnored public let controller: ChannelController
  /// The id of the thread's parent message; nil for the channel itself.
  @ObservationIgnored public let thread: Message.ID?
  @ObservationIgnored private let pageSize: Int
  @ObservationIgnored private let keptMax: Int
  @ObservationIgnored private var task: Task<Void, Never>?
  /// The options given by the app, without those of a view.
  @ObservationIgnored private var options: LayoutOptions<ChatMessage>
  /// The lists that show the layout.
  @ObservationIgnored private var observers: [LayoutObserver] = []
  @ObservationIgnored private var shown: Conversation?
  /// The unread messages at the time when the list was opened.
  @ObservationIgnored private var unread: UnreadMark?
  /// The number of the message before the first shown one; nil for the newest page.
  @ObservationIgnored private var start: Message.Number?
  /// The number of the last shown message; nil if the window ends at the newest one.
  @ObservationIgnored private var end: Message.Number?
  /// The number of requested jumps; only the last one moves the window.
  @ObservationIgnored private var jumpCount = 0

  /// Creates a model of the messages of a channel or of a thread in it.
  public init(
    of controller: ChannelController, thread: Message.ID? = nil,
    options: LayoutOptions<ChatMessage> = .verbatim, pageSize: Int = 50, keptMax: Int = 1000
  ) {
    (self.controller, self.thread) = (controller, thread)
    (self.pageSize, self.keptMax) = (max(1, pageSize), max(keptMax, pageSize, 1))
    self.options = options
    var options = options
    options.threadParent = thread?.text
    layout = MessageLayout(options: options)
    follow()
  }

  deinit { task?.cancel() }

  /// Lays the messages out with other options.
  public func layOut(by options: LayoutOptions<ChatMessage>) {
    self.options = options
    _ = apply(options)
  }

  /// Extends the window by a page of earlier messages; a failure is shown as a notice above the messages.
  public func loadEarlier() async { try? await loadPage() }

  /// Extends the window by a page of earlier messages; throws a failure after it is shown as a notice.
  internal func loadPage() async throws(ReadError) {
    // After a first read that failed, its notice offers to try again.
    if shown == nil, failure != nil { return retry() }
    guard let older = shown?.older, !isLoadingEarlier else { return }
    isLoadingEarlier = true
    defer { isLoadingEarlier = false }
    let (start, end, numbers) = (start, end, shownNumbers)
    let (id, thread, pageSize, keptMax) = (controller.id, thread, pageSize, keptMax)
    do throws(ReadError) {
      let (page, conversation) = try await controller.client.ask { reading throws(ReadError) in
        let earlier = try reading.page(of: id, thread, .before(older), limit: pageSize).messages.map(\.number)
        let all = earlier + numbers
        let last = all.count > keptMax ? all[keptMax - 1] : end
        let page = try reading.window(
          of: id, thread, behind: earlier.first?.previous ?? .zero, through: last, pageSize: pageSize,
          keptMax: keptMax)
        return (page, try reading.conversation(in: id, thread: thread, page))
      }
      // A jump meanwhile has moved the window elsewhere.
      guard (self.start, self.end) == (start, end) else { return }
      show(page, conversation)
      showOlderFailed(false)
    } catch {
      showOlderFailed(true)
      throw error
    }
  }

  /// Extends the window by a page of later messages, if it does not end at the newest one.
  public func loadLater() async throws(ReadError) {
    guard let newer = shown?.newer else { return }
    let before = (start, end)
    let (id, thread, pageSize, keptMax) = (controller.id, thread, pageSize, keptMax)
    let numbers = shownNumbers
    let (page, conversation) = try await controller.client.ask { reading throws(ReadError) in
      var page = try reading.page(of: id, thread, .after(newer), limit: pageSize)
      let first = (numbers + page.messages.map(\.number)).suffix(keptMax).first?.previous
      if let first, let last = page.messages.last?.number {
        page = try reading.window(
          of: id, thread, behind: first, through: last, pageSize: pageSize, keptMax: keptMax)
      }
      return (page, try reading.conversation(in: id, thread: thread, page))
    }
    // A jump meanwhile has moved the window elsewhere.
    if before == (start, end) { show(page, conversation) }
  }

  /// The numbers of the shown messages, apart from the parent of a thread.
  private var shownNumbers: [Message.Number] {
    (shown?.messages ?? []).filter { $0.messageID != thread?.text }.map(\.message.number)
  }

  /// Shows a message: if it is not in the list, the window moves to a page around it.
  ///
  /// A message that the user may not see is refused. Of several jumps at a time, the last one moves the window.
  public func jump(to message: Message.ID) async throws(ReadError) {
    try await show(message, forJump: nextJump())
  }

  /// Shows the messages around the first one that was sent at an instant or later; returns its id.
  ///
  /// When no message was sent since, the newest are shown, and nil is returned.
  @discardableResult
  public func jump(to instant: Timestamp) async throws(ReadError) -> Message.ID? {
    let (id, thread, jump) = (controller.id, thread, nextJump())
    let page = try await controller.client.ask { reading throws(ReadError) in
      try reading.page(of: id, thread, .from(instant), limit: 1)
    }
    guard let message = page.messages.first?.key.id else {
      try await showNewest(forJump: jump)
      return nil
    }
    try await show(message, forJump: jump)
    return message
  }

  /// Moves the window to the newest messages.
  public func jumpToNewest() async throws(ReadError) { try await showNewest(forJump: nextJump()) }

  private func nextJump() -> Int {
    jumpCount += 1
    return jumpCount
  }

  private func show(_ message: Message.ID, forJump jump: Int) async throws(ReadError) {
    if layout.message(message.text) == nil { try await move(to: .around(message), forJump: jump) }
  }

  private func showNewest(forJump jump: Int) async throws(ReadError) {
    if end != nil { try await move(to: .latest, forJump: jump) }
  }

  private func move(to span: MessageSpan, forJump jump: Int) async throws(ReadError) {
    let (id, thread, pageSize) = (controller.id, thread, pageSize)
    let (page, conversation) = try await controller.client.ask { reading throws(ReadError) in
      let page = try reading.page(of: id, thread, span, limit: pageSize)
      // A reply that is only in its thread is in no page of the channel.
      if case .around(let message) = span, !page.messages.contains(where: { $0.key.id == message }) {
        throw ReadError.refused(.unknownMessage(Message.Key(id, message)))
      }
      return (page, try reading.conversation(in: id, thread: thread, page))
    }
    if jump == jumpCount { show(page, conversation) }
  }

  /// Shows a window, whose messages are in the list when this returns.
  private func show(_ page: MessagePage, _ conversation: Conversation) {
    start = page.messages.first?.number.previous
    end = page.newer == nil ? nil : page.messages.last?.number
    show(conversation)
    follow()
  }

  private func showOlderFailed(_ hasFailed: Bool) {
    var change = MessageChange<ChatMessage>()
    change.olderFailed = hasFailed
    _ = apply { $0.apply(change) }
  }

  /// Reads the values at once, also after a failure.
  public func retry() {
    if failure != nil { failure = nil }
    // The window keeps the messages by which it has grown.
    if start == nil { start = shown?.start }
    follow()
  }
}

// MARK: Changing

extension MessageListModel {
  /// The connection of a list to the rows; it retains the model.
  internal var source: LayoutSource<ChatMessage> {
    LayoutSource(
      options: options, layout: { self.layout },
      isLoading: { self.isLoadingEarlier || !self.isLoaded && self.failure == nil }, apply: { self.apply($0) },
      layOut: { self.apply($0) }, observe: { self.observers.append(LayoutObserver(owner: $0, body: $1)) })
  }

  private func apply(_ options: LayoutOptions<ChatMessage>) -> RowDiff {
    let options = shown.map { options.of($0) } ?? options
    return apply { $0.apply(options) }
  }

  private func apply(_ change: (inout MessageLayout<ChatMessage>) -> RowDiff) -> RowDiff {
    let diff = change(&layout)
    if !diff.isEmpty { lastDiff = diff }
    observers.removeAll { $0.owner == nil }
    for observer in observers { observer.body(diff) }
    return diff
  }
}

/// A closure that is called after each change while its owner exists.
private struct LayoutObserver {
  weak var owner: AnyObject?
  let body: (RowDiff) -> Void
}

// MARK: Following

extension MessageListModel {
  private func follow() {
    task?.cancel()
    task = LiveQueryResults(to: question, by: controller.client).show(in: self) { model, answer in
      switch answer {
      case .success(let conversation):
        model.show(conversation)
        model.extendToNewest(conversation)
      case .failure(let error):
        model.failure = error
        if !model.isLoaded { model.showOlderFailed(true) }
      }
    }
  }

  /// Lets the window end at the newest message, if there is no later one than those shown.
  private func extendToNewest(_ conversation: Conversation) {
    guard end != nil, conversation.newer == nil else { return }
    (start, end) = (conversation.start, nil)
    follow()
  }

  private func show(_ conversation: Conversation) {
    if shown == nil { unread = conversation.unread }
    if failure != nil { failure = nil }
    if shown.map({ !$0.hasSameRows(as: conversation) }) ?? true {
      let change = change(to: conversation)
      let options = shown?.muted != conversation.muted ? layout.options.of(conversation) : nil
      shown = conversation
      // One change: ``lastDiff`` is the difference of both.
      _ = apply { if let options { $0.apply(options, change) } else { $0.apply(change) } }
    } else {
      shown = conversation
    }
    if channel != conversation.channel { channel = conversation.channel }
    if typing != conversation.typing { typing = conversation.typing }
    if !isLoaded { isLoaded = true }
  }

  /// Returns the change that turns the rows into those of a conversation.
  private func change(to conversation: Conversation) -> MessageChange<ChatMessage> {
    let kept = Set(conversation.messages.map(\.messageID))
    var change = MessageChange.put(conversation.messages)
    change.remove = shown?.messages.map(\.messageID).filter { !kept.contains($0) } ?? []
    change.unread = .some(unread)
    change.typing = conversation.typing.map(\.id)
    (change.hasOlder, change.hasNewer) = (conversation.older != nil, conversation.newer != nil)
    if shown == nil { change.olderFailed = false }
    return change
  }

  internal var question: LiveQuery<Conversation> {
    let (id, user, thread, start, end) = (controller.id, controller.client.user, thread, start, end)
    let (pageSize, keptMax) = (pageSize, keptMax)
    return LiveQuery { subject, shown in
      switch subject {
      case .user(user), .channel(id): true
      case .user(let other): shown?.users.contains(other) ?? true
      case .composer(let key): key.channel == id && key.thread == thread && key.user != user
      case .draft(let key): key.channel == id && key.thread != nil && key.user == user
      case .channel, .consumer, .app: false
      }
    } dependsOnTargets: { reading, targets, shown throws(ReadError) in
      if !targets.channels.isEmpty { return true }
      return try reading.isTypingOther(in: targets) { key in
        shown?.typing.contains { $0.id == key.user.text } ?? false
      }
    } ask: { reading, before throws(ReadError) in
      // The start moves up once the maximum is reached.
      let page = try reading.window(
        of: id, thread, behind: before?.start ?? start, through: end, pageSize: pageSize, keptMax: keptMax)
      let conversation = try reading.conversation(in: id, thread: thread, page)
      return (conversation, conversation.until)
    }
  }
}
