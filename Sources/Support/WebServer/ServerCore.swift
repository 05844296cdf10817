// The callbacks of libmicrohttpd.
internal import CMicroHTTPD
internal import Locks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The part of a web server that its callbacks use.
internal final class ServerCore: Sendable {
  /// The maximum size of a request's head in bytes.
  static let headMax = 64 << 10

  private let handlers: WebServer.Handlers
  let options: WebServer.Options
  let room: ConnectionRoom
  /// The exchanges in progress; nil when the server stops.
  private let exchanges = Locked<[ObjectIdentifier: Exchange]?>([:])

  init(_ handlers: WebServer.Handlers, _ options: WebServer.Options) {
    (self.handlers, self.options) = (handlers, options)
    room = ConnectionRoom(connectionsMax: options.connectionsMax)
  }

  /// Resumes all connections: a server with suspended ones does not stop.
  func stop() {
    let exchanges = exchanges.withLock { exchanges in
      defer { exchanges = nil }
      return exchanges ?? [:]
    }
    for exchange in exchanges.values { exchange.stop() }
  }

  /// Called with the head, with each part of the body, at its end, and when a suspended connection was resumed.
  static let handle: MHD_AccessHandlerCallback = { owner, connection, url, method, _, bytes, count, context in
    let core = Unmanaged<ServerCore>.fromOpaque(owner!).takeUnretainedValue()
    guard let known = context!.pointee else {
      return core.begin(connection!, url!, method!, context!)
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    let received = UnsafeRawBufferPointer(start: bytes, count: count!.pointee)
    count!.pointee = 0
    return core.go(on: exchange, received)
  }

  /// Called when a response was sent, or its connection was closed.
  static let completed: MHD_RequestCompletedCallback = { owner, _, context, _ in
    guard let known = context!.pointee else { return }
    context!.pointee = nil
    let core = Unmanaged<ServerCore>.fromOpaque(owner!).takeUnretainedValue()
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
    core.exchanges.withLock { _ = $0?.removeValue(forKey: ObjectIdentifier(exchange)) }
    exchange.close()
  }

  /// Escapes are decoded here, strictly.
  static let keepEscapes: Unescape = { _, _, text in text.map { strlen($0) } ?? 0 }

  /// The type of a callback that decodes the escapes of a text in its place.
  typealias Unescape =
    @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int

  private func begin(
    _ connection: OpaquePointer, _ url: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>,
    _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    let exchange = Exchange(connection)
    let isRunning = exchanges.withLock { exchanges in
      exchanges?[ObjectIdentifier(exchange)] = exchange
      return exchanges != nil
    }
    context.pointee = Unmanaged.passRetained(exchange).toOpaque()
    if !isRunning { return .NO }
    guard let request = Self.request(connection, url, method) else {
      return exchange.respond(WebResponse(status: 400, text: "The request is malformed.\n"))
    }
    if let refusal = handlers.refuse(request) { return exchange.respond(refusal) }
    room.admit(connection)
    if let length = request.header("content-length"), Int(length) ?? .max > options.bodyMax {
      return exchange.respond(Self.tooLarge)
    }
    exchange.request = request
    return .YES
  }

  private func go(on exchange: Exchange, _ received: UnsafeRawBufferPointer) -> MHD_Result {
    if let response = exchange.takeResponse() { return exchange.respond(response) }
    if exchange.isClosed { return .NO }
    guard var request = exchange.request else { return .YES }
    if received.count > 0 {
      if exchange.began.duration(to: .now) > options.bodyTimeout { return .NO }
      // The body of a request that is too large is read no further.
      if request.body.count + received.count > options.bodyMax { return .NO }
      exchange.request = nil
      request.body += received
      exchange.request = request
      return .YES
    }
    exchange.request = nil
    let answer = handlers.answer
    guard exchange.suspend() else { return .NO }
    let complete = request
    Task { exchange.resume(with: await answer(complete)) }
    return .YES
  }

  private static let tooLarge = WebResponse(status: 413, text: "The body is too large.\n")

  private static func request(
    _ connection: OpaquePointer, _ url: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>
  ) -> WebRequest? {
    guard let url = String(validatingCString: url), let method = String(validatingCString: method),
      let path = WebRequest.path(decoding: url), let headers = fields(of: connection, .HEADER_KIND),
      let raw = fields(of: connection, .GET_ARGUMENT_KIND)
    else { return nil }
    var query: [WebRequest.Field] = []
    for field in raw {
      guard let name = WebRequest.text(decoding: field.name, plusIsSpace: true),
        let value = WebRequest.text(decoding: field.value, plusIsSpace: true)
      else { return nil }
      query.append(WebRequest.Field(name, value))
    }
    return WebRequest(
      method: method, path: path, query: query,
      headers: headers.map { WebRequest.Field($0.name.lowercased(), $0.value) })
  }

  /// Returns the fields of a kind; nil when one is not UTF-8, or a header field's name is not ASCII.
  private static func fields(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [WebRequest.Field]? {
    var fields: [WebRequest.Field]? = []
    withUnsafeMutablePointer(to: &fields) { fields in
      _ = MHD_get_connection_values(
        connection, kind,
        { fields, kind, name, value in
          let fields = fields!.assumingMemoryBound(to: [WebRequest.Field]?.self)
          guard let name = name.flatMap({ String(validatingCString: $0) }),
            let value = value.map({ String(validatingCString: $0) }) ?? "",
            kind != .HEADER_KIND || name.utf8.allSatisfy({ $0 < 0x80 })
          else {
            fields.pointee = nil
            return .NO
          }
          fields.pointee?.append(WebRequest.Field(name, value))
          return .YES
        }, fields)
    }
    return fields
  }
}
