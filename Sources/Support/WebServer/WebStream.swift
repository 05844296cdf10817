// The content of a response that is sent as it comes.
internal import CMicroHTTPD
internal import Locks

/// The content of a response that is sent as it comes, as server-sent events are.
///
/// What is sent waits in memory until the client takes it. A client that lets more than ``unsentMax`` bytes wait is
/// disconnected: it can ask again for what it missed. That a client has left is noticed when something is sent.
public final class WebStream: Sendable {
  /// The number of waiting bytes at which the client is disconnected.
  public static let unsentMax = 8 << 20

  private let state = Locked(State())
  private let carrier: Carrier?

  /// The stream that carries another one, the bytes before each of its parts, and the last part.
  private struct Carrier: Sendable {
    let stream: WebStream
    let prefix: [UInt8]
    let end: [UInt8]
  }

  private struct State {
    var unsent: [UInt8] = []
    var isFinished = false
    var isClosed = false
    /// The connection that waits for bytes.
    // Safe because libmicrohttpd locks what others than its own thread do: resuming.
    nonisolated(unsafe) var suspended: OpaquePointer?
    var onClose: (@Sendable () -> Void)?
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
    state.withLock { state in
      if state.isFinished || state.isClosed { return false }
      if let carrier { return carrier.stream.send(carrier.prefix + bytes) }
      if state.unsent.count + bytes.count > Self.unsentMax {
        (state.unsent, state.isFinished) = ([], true)
      } else {
        state.unsent += bytes
      }
      Self.resume(&state)
      return !state.isFinished
    }
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
    state.withLock { state in
      if state.unsent.isEmpty {
        if state.isFinished { return Self.end }
        state.suspended = connection
        MHD_suspend_connection(connection)
        return 0
      }
      let count = min(buffer.count, state.unsent.count)
      state.unsent.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
      state.unsent.removeFirst(count)
      return count
    }
  }

  /// The result of a reader at the end of a response (C: `MHD_CONTENT_READER_END_OF_STREAM`).
  private static let end = -1

  /// Ends the stream at once, without its end.
  package func close() {
    let onClose = state.withLock { state in
      state.isClosed = true
      (state.unsent, state.suspended) = ([], nil)
      defer { state.onClose = nil }
      return state.onClose
    }
    onClose?()
  }
}
