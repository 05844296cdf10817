// The content of a response that is sent as it comes.
internal import CMicroHTTPD
internal import Locks

/// The content of a response that is sent as it comes, as server-sent events are.
///
/// What is sent waits in memory until the client takes it. A client is disconnected when something is sent while more
/// than ``unsentMax`` bytes wait: it can ask again for what it missed. Senders of much call ``waitForRoom()`` between
/// two parts. That a client has left is noticed when something is sent.
public final class WebStream: Sendable {
  /// The maximum number of bytes that wait when more are sent: beyond it, the client is disconnected.
  public static let unsentMax = 8 << 20
  /// The number of waiting bytes up to which there is room for more.
  private static let roomMax = 1 << 20

  private let state = Locked(State())
  private let carrier: Carrier?

  /// The stream that carries another one, the bytes before each of its parts, and the last part.
  private struct Carrier: Sendable {
    let stream: WebStream
    let prefix: [UInt8]
    let end: [UInt8]
  }

  private struct State {
    /// The sent bytes, of which the client has taken the first ones.
    var sent: [UInt8] = []
    var takenCount = 0
    /// The senders that wait for room.
    var senders: [CheckedContinuation<Void, Never>] = []
    var isFinished = false
    var isClosed = false
    /// The connection that waits for bytes.
    // Safe because libmicrohttpd locks what others than its own thread do: resuming.
    nonisolated(unsafe) var suspended: OpaquePointer?
    var onClose: (@Sendable () -> Void)?

    var unsentCount: Int { sent.count - takenCount }
    var hasRoom: Bool { isFinished || isClosed || unsentCount <= WebStream.roomMax }

    mutating func clear() { (sent, takenCount) = ([], 0) }
  }

  /// Creates a stream.
  public init() { carrier = nil }

  /// Creates a stream that is carried by another one instead of a response of its own: what is sent on it is sent there
  /// behind the prefix, each time as a whole; the end when it is finished.
  public init(carriedBy stream: WebStream, behind prefix: [UInt8], end: [UInt8]) {
    carrier = Carrier(stream: stream, prefix: prefix, end: end)
  }

  /// Sends bytes to the client; returns false when the client has left, or is disconnected since it is too slow.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    defer { resumeSenders() }
    return state.withLock { state in
      if state.isFinished || state.isClosed { return false }
      if let carrier { return carrier.stream.send(carrier.prefix + bytes) }
      // A part alone can be larger than what may wait: a client that takes everything is not too slow for it.
      if state.unsentCount > Self.unsentMax {
        state.clear()
        state.isFinished = true
      } else {
        state.sent += bytes
      }
      Self.resume(&state)
      return !state.isFinished
    }
  }

  /// Waits until the client has taken most of what was sent, or the response has ended.
  public func waitForRoom() async {
    if let carrier { return await carrier.stream.waitForRoom() }
    await withCheckedContinuation { sender in
      let hasRoom = state.withLock { state in
        if !state.hasRoom { state.senders.append(sender) }
        return state.hasRoom
      }
      if hasRoom { sender.resume() }
    }
  }

  /// Resumes the senders that wait for room, if there is some.
  private func resumeSenders() {
    let senders = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard state.hasRoom else { return [] }
      defer { state.senders = [] }
      return state.senders
    }
    for sender in senders { sender.resume() }
  }

  /// Ends the response after what was sent.
  public func finish() {
    let isFirst = state.withLock { state in
      let isFirst = !state.isFinished && !state.isClosed
      state.isFinished = true
      Self.resume(&state)
      return isFirst
    }
    guard isFirst, let carrier else { return }
    carrier.stream.send(carrier.prefix + carrier.end)
    close()
  }

  /// Calls the closure when the response has ended: the client has left, or got everything.
  public func onClose(_ body: @escaping @Sendable () -> Void) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.onClose = body }
      return state.isClosed
    }
    if isClosed { body() }
  }

  private static func resume(_ state: inout State) {
    guard let connection = state.suspended else { return }
    state.suspended = nil
    MHD_resume_connection(connection)
  }

  /// Copies waiting bytes; suspends the connection when there are none.
  internal func take(_ buffer: UnsafeMutableRawBufferPointer, for connection: OpaquePointer) -> Int {
    defer { resumeSenders() }
    return state.withLock { state in
      if state.unsentCount == 0 {
        if state.isFinished { return Self.end }
        state.suspended = connection
        MHD_suspend_connection(connection)
        return 0
      }
      let count = min(buffer.count, state.unsentCount)
      let taken = state.takenCount..<state.takenCount + count
      state.sent.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken])) }
      state.takenCount += count
      // Each removal moves no more bytes than were taken since the last one.
      if state.takenCount >= state.unsentCount {
        state.sent.removeFirst(state.takenCount)
        state.takenCount = 0
      }
      return count
    }
  }

  /// The result of a reader at the end of a response (C: `MHD_CONTENT_READER_END_OF_STREAM`).
  private static let end = -1

  /// Ends the stream at once, without its end.
  package func close() {
    let onClose = state.withLock { state in
      state.isClosed = true
      state.clear()
      state.suspended = nil
      defer { state.onClose = nil }
      return state.onClose
    }
    resumeSenders()
    onClose?()
  }
}
