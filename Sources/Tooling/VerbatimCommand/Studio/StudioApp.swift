// What the studio answers: the addresses below `/api/`.
internal import Chat
internal import ChatProjections
internal import ChatRendering
internal import EventLog
internal import Foundation
internal import JSONLines
internal import Locks
internal import Projections
internal import Studio
internal import Verbatim
internal import WebServer

/// The answers of a studio about one workspace, for one viewer.
final class StudioApp: Sendable {
  /// The pages of the studio; the first is shown first.
  static let pages = [
    StudioSite.Page("chat", title: "Chat", assets: "conversation"), StudioSite.Page("time", title: "Time"),
    StudioSite.Page("events", title: "Events"), StudioSite.Page("health", title: "Health"),
  ]

  let workspace: Workspace
  /// The user whose view is shown; nil for the operator's, which shows everything.
  let viewer: User.ID?
  let isReadOnly: Bool
  /// The maximum number of events that one request searches.
  let searchedMax: Int
  let context: Context
  let outline: LogOutline
  let selections = Locked<[EventSelection]>([])
  let pasts: PastPool
  let verification = Locked(StudioVerification())
  let tabs = ChatTabs()
  /// The files that are being attached, the output of a verification, and the page that the browser opens.
  let temporary = TemporaryFolder()
  let began = ContinuousClock.now
  let streams = StreamHubs()
  private let head: HeadStream
  private let reading: Task<Void, Never>
  private let pinging: Task<Void, Never>

  /// Creates the answers, and begins to read the log's outline.
  init(
    _ workspace: Workspace, viewer: User.ID?, isReadOnly: Bool, in context: Context, searchedMax: Int = 2_000_000
  ) {
    (self.workspace, self.viewer, self.isReadOnly, self.context) = (workspace, viewer, isReadOnly, context)
    self.searchedMax = searchedMax
    let outline = LogOutline(of: workspace.store.log)
    self.outline = outline
    pasts = PastPool(of: workspace)
    // One reader at a time: changes during a reading are read together afterwards.
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    change.yield()
    reading = Task {
      for await _ in changes {
        // A log that cannot be read is reported by the answers that read it.
        while await workspace.offThread({ _ in (try? outline.extend()) ?? false }), !Task.isCancelled {}
      }
    }
    let head = HeadStream(of: workspace.store) { change.yield() }
    self.head = head
    pinging = Task { [tabs, streams] in
      while (try? await Task.sleep(for: .seconds(15))) != nil {
        await tabs.ping()
        head.ping()
        streams.ping()
      }
    }
  }

  /// Ends the streams and the reading of the log; idempotent.
  func stop() async {
    await tabs.leave()
    end()
  }

  /// Does the same without leaving the composers, which waits for what is being recorded; idempotent.
  func end() {
    reading.cancel()
    pinging.cancel()
    head.stop()
    streams.stop()
    pasts.close()
    verification.withLock { $0.stop() }
    temporary.remove()
  }

  /// Answers a request; nil for an unknown address.
  @Sendable func answer(_ request: WebRequest) async -> WebResponse? {
    let isPost = request.method == "POST"
    let body: StudioAnswer
    do {
      switch (request.path, isPost) {
      case ("/api/streams", false): return streams.response()
      case ("/api/streams/end", true):
        streams.end(for: request)
        return Self.response(status: 200) { _ in }
      case ("/api/head", false): return try await respond(to: request) { head.show(on: $0) }
      case ("/api/chat/stream", false): return try await chatStream(request)
      case ("/api/chat/act", true): return try await chatAct(request)
      case ("/api/chat/attach", true): return try await chatAttach(request)
      case ("/api/chat/leave", true): return try await chatLeave(request)
      case ("/api/blob", false): return try await blob(request)
      case ("/api/workspace", false): body = try await blocking { try $0.answerWorkspace() }
      case ("/api/past", false): body = try await past(request)
      case ("/api/step", false): body = try await step(request)
      case ("/api/scenario", false): body = try await scenario(request)
      case ("/api/timeline", false): body = try await blocking { try $0.timeline(request) }
      case ("/api/names", false): body = try await operators { $0.names() }
      case ("/api/rows", false): body = try await operators { try $0.rows(request) }
      case ("/api/row", false): body = try await blocking { try $0.row(request) }
      case ("/api/event", false): body = try await operators { try $0.event(request) }
      case ("/api/graph", false): body = try await operators { try $0.graph(request) }
      case ("/api/biography", false): body = try await biography(request)
      case ("/api/health", false): body = try await health()
      case ("/api/verify", _): body = try await operators { try $0.verify(begins: isPost) }
      default: return nil
      }
      var writer = JSONWriter()
      try body(&writer)
      return Self.json(writer, status: 200)
    } catch {
      return Self.refusal(error)
    }
  }

  /// Returns the response to a request for a stream, on which the closure sends.
  func respond(to request: WebRequest, _ show: (WebStream) async -> Void) async throws -> WebResponse {
    guard let stream = streams.stream(for: request) else {
      return Self.response(status: 409) { $0.member("error", "The connection of the stream has ended.") }
    }
    await show(stream)
    return streams.response(on: stream, to: request)
  }

  /// Runs a closure that blocks on a thread that may.
  func blocking<R: Sendable>(_ body: @escaping @Sendable (StudioApp) throws -> R) async throws -> R {
    try await workspace.offThread { _ in Result { try body(self) } }.get()
  }

  /// Does the same for an answer that shows everything in the log.
  func operators<R: Sendable>(_ body: @escaping @Sendable (StudioApp) throws -> R) async throws -> R {
    guard viewer == nil else {
      throw Failure(.refused, "The log shows what no user may see: start the studio without --as.")
    }
    return try await blocking(body)
  }

  private static func json(_ writer: JSONWriter, status: Int) -> WebResponse {
    WebResponse(
      status: status, headers: [WebRequest.Field("Content-Type", "application/json; charset=utf-8")],
      content: .bytes(writer.bytes))
  }

  private static func refusal(_ error: any Error) -> WebResponse {
    var (status, message) = (500, "\(error)")
    if let failure = error as? Failure {
      (status, message) = (failure.code == .misused ? 400 : failure.code == .refused ? 403 : 500, failure.message ?? "")
    } else if case .refused(let refusal)? = error as? ReadError {
      (status, message) = (403, refusal.description)
    }
    return response(status: status) { $0.member("error", message) }
  }

  /// Returns a response of an object.
  static func response(status: Int, _ members: (inout JSONWriter) -> Void) -> WebResponse {
    var writer = JSONWriter()
    writer.object(members)
    return json(writer, status: status)
  }
}

/// The answer to a request: a closure that writes it.
typealias StudioAnswer = @Sendable (inout JSONWriter) throws -> Void

// MARK: The workspace

extension StudioApp {
  /// The maximum number of users and channels that are named.
  private static let namedMax = 1_000

  fileprivate func answerWorkspace() throws -> StudioAnswer {
    let (viewer, isReadOnly, path) = (viewer, isReadOnly, workspace.path)
    let created = workspace.store.log.genesis.created
    let head = try workspace.head()
    let users = try people()
    let channels = try namedChannels()
    let limits = workspace.configuration.rules.limits
    let fileByteCountMax = min(UInt64(WebServer.Options().bodyMax), limits.uploadByteCountMax)
    return { writer in
      writer.object { writer in
        writer.member("path", path)
        writer.member("head", head.rawValue)
        writer.member("created", created.description)
        writer.member("mode", viewer == nil ? "operator" : "user")
        writer.member("user", viewer?.text)
        writer.key("isReadOnly")
        writer.bool(isReadOnly)
        writer.member("compositionByteCountMax", UInt64(limits.compositionByteCountMax))
        writer.member("fileByteCountMax", fileByteCountMax)
        for (key, items) in [("users", users), ("channels", channels)] {
          writer.key(key)
          writer.array { writer in
            for item in items {
              writer.object { writer in
                writer.member("id", item.id)
                writer.member("name", item.name)
              }
            }
          }
        }
      }
    }
  }

  private func people() throws -> [(id: String, name: String)] {
    if let viewer {
      return try workspace.readBlocking { reading in
        let user = try reading.chat.user(viewer)
        return [(viewer.text, user?.profile.name.string ?? "")]
      }
    }
    return try workspace.projections.read { reading throws(ProjectionError) in
      var people: [(String, String)] = []
      try reading.forEachRow(of: ChatState.users) { (_, user: User) in
        people.append((user.id.text, user.profile.name.string))
        return people.count < Self.namedMax
      }
      return people
    }
  }

  private func namedChannels() throws -> [(id: String, name: String)] {
    if let viewer {
      let (rules, now) = (workspace.configuration.rules, workspace.now)
      return try workspace.readBlocking { reading in
        let own = try ClientReading(reading.chat, for: viewer, under: rules, at: now)
        return try own.channels(where: ChannelFilter(isHidden: nil, isArchived: nil), limit: Self.namedMax).channels
          .map { ($0.channel.id.text, $0.channel.profile.name.string) }
      }
    }
    return try workspace.projections.read { reading throws(ProjectionError) in
      var channels: [(String, String)] = []
      try reading.forEachRow(of: ChatState.channels) { (_, channel: Channel) in
        channels.append((channel.id.text, channel.profile.name.string))
        return channels.count < Self.namedMax
      }
      return channels
    }
  }
}

// MARK: Parameters

extension WebRequest {
  /// Returns a parameter; nil where it is missing or empty, an error where it cannot be read or is given twice.
  func value<Value: ArgumentValue>(_ name: String, as: Value.Type = Value.self) throws(Failure) -> Value? {
    let values = query.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
    guard let text = values.first else { return nil }
    guard values.count == 1 else { throw Failure(.misused, "The parameter \(name) is given twice: leave one out.") }
    do throws(ValueDefect) { return try Value(argument: text) } catch {
      throw Failure(.misused, "The parameter \(name) is “\(text.inOneLine)”: give \(error.expected).")
    }
  }

  /// Returns a parameter that must not be missing.
  func required<Value: ArgumentValue>(_ name: String, as: Value.Type = Value.self) throws(Failure) -> Value {
    guard let value: Value = try value(name) else {
      throw Failure(.misused, "The parameter \(name) is missing: give it.")
    }
    return value
  }

  /// Returns the values of a parameter that may be repeated.
  func values(_ name: String) -> [String] { query.filter { $0.name == name && !$0.value.isEmpty }.map(\.value) }
}
