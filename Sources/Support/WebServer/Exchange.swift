// A request and its response.
internal import CMicroHTTPD
internal import Locks

/// A request and its response on a connection.
///
/// The server's thread uses it, but for ``resume(with:)`` and ``stop()``, which only use what is locked.
internal final class Exchange: Sendable {
  let began = ContinuousClock.now
  // Safe because libmicrohttpd locks what others than its own thread do: resuming.
  nonisolated(unsafe) private let connection: OpaquePointer
  /// The request, as far as it was received; nil when it is being answered.
  // Safe because only the server's thread uses it.
  nonisolated(unsafe) var request: WebRequest?
  private let state = Locked(State())

  private struct State {
    var response: WebResponse?
    /// The stream that is being sent.
    var stream: WebStream?
    var isSuspended = false
    /// Whether the connection is closed, or must not be used further.
    var isClosed = false
  }

  init(_ connection: OpaquePointer) { self.connection = connection }

  /// Suspends the connection until ``resume(with:)``; returns false where the server has stopped: it cannot end while a
  /// connection is suspended.
  func suspend() -> Bool {
    state.withLock { state in
      if state.isClosed { return false }
      state.isSuspended = true
      MHD_suspend_connection(connection)
      return true
    }
  }

  /// Sets the response and resumes the connection.
  func resume(with response: WebResponse) {
    let isLate = state.withLock { state in
      if state.isClosed { return true }
      state.response = response
      resume(&state)
      return false
    }
    if isLate, case .stream(let stream) = response.content { stream.close() }
  }

  private func resume(_ state: inout State) {
    guard state.isSuspended else { return }
    state.isSuspended = false
    MHD_resume_connection(connection)
  }

  /// Ends the exchange, whose connection is then closed.
  func stop() {
    let stream = state.withLock { state in
      state.isClosed = true
      resume(&state)
      return state.stream
    }
    stream?.finish()
  }

  /// The connection was closed, or the response was sent.
  func close() {
    let (response, stream) = state.withLock { state in
      state.isClosed = true
      return (state.response, state.stream)
    }
    if case .stream(let unsent) = response?.content { unsent.close() }
    stream?.close()
  }

  /// Whether the server has stopped.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Returns the response that the connection was resumed with, once.
  func takeResponse() -> WebResponse? {
    state.withLock { state in
      defer { state.response = nil }
      return state.response
    }
  }

  /// Sends a response; a header field that could be read as two makes it an error.
  func respond(_ response: WebResponse) -> MHD_Result {
    var content: OpaquePointer?
    switch response.content {
    case .bytes(let bytes):
      content = bytes.withUnsafeBytes {
        MHD_create_response_from_buffer(
          $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!),
          .RESPMEM_MUST_COPY)
      }
    case .stream(let stream):
      let isClosed = state.withLock { state in
        state.stream = stream
        return state.isClosed
      }
      if isClosed { stream.finish() }
      content = MHD_create_response_from_callback(
        UInt64.max, 32 << 10, Exchange.read, Unmanaged.passUnretained(self).toOpaque(), nil)
    }
    guard let content else { return .NO }
    defer { MHD_destroy_response(content) }
    for field in response.headers where MHD_add_response_header(content, field.name, field.value) == .NO {
      return respond(WebResponse(status: 500, text: "The response is malformed.\n"))
    }
    return MHD_queue_response(connection, UInt32(response.status), content)
  }

  /// Called when the client can take more of a stream; the exchange outlives its response.
  private static let read: MHD_ContentReaderCallback = { exchange, _, buffer, count in
    let exchange = Unmanaged<Exchange>.fromOpaque(exchange!).takeUnretainedValue()
    guard let stream = exchange.state.withLock({ $0.stream }) else { return -1 }
    return stream.take(UnsafeMutableRawBufferPointer(start: buffer, count: count), for: exchange.connection)
  }
}
