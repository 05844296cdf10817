// A connection to a server, used by one thread at a time.
internal import CPostgres

/// A statement with parameters; its name is that of the prepared statement.
internal struct Statement {
  let name: String
  let text: String
}

/// A connection, on which statements are prepared when they are first executed.
// Safe because a connection is used by the one thread that took it from the pool, and not touched otherwise.
internal final class Connection: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer
  private let pq: verbatim_pq
  private var prepared: Set<String> = []
  /// Whether the server's process may differ between two statements: a pooler is in between.
  private(set) var isPooled = true
  /// Whether the server of this connection was found to have the newest head that the process had seen before.
  var hasKnownHead = false
  private let notices = Notices()

  /// Opens a connection; one without a pooler in between gets settings that last as long as it does.
  init(to address: PostgresAddress) throws(PostgresError) {
    let pq = try Library.shared().pq
    try Self.check(address, pq)
    // What the address says is preferred to these.
    let options = [
      ("fallback_application_name", "verbatim"), ("connect_timeout", "10"), ("keepalives_idle", "10"),
      ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "15000"),
      ("client_encoding", "UTF8"), ("dbname", address.server),
    ]
    let handle = Self.withCStrings(options.map(\.0)) { keywords in
      Self.withCStrings(options.map(\.1)) { values in pq.connect(keywords, values, 1) }
    }
    guard let handle else { throw .connection("there is no memory for a connection") }
    (self.handle, self.pq) = (handle, pq)
    // Without a receiver, libpq prints them where the app prints its own errors.
    _ = pq.receive_notices(handle, Notices.receive, Unmanaged.passUnretained(notices).toOpaque())
    guard pq.status(handle) == 0 else { throw .connection(Self.reason(pq.error(handle))) }
    // A pooler answers with a number of its own.
    let process = try execute(Statement(name: "", text: "SELECT pg_backend_pid()::bigint")).integer(0, 0)
    isPooled = process != Int64(pq.process(handle))
    // Behind a pooler, settings would belong to another session.
    if !isPooled { try execute(Self.settings) }
  }

  /// Throws unless libpq finds the password of an address where it is removed from messages: those of libpq repeat
  /// parts of an address that it cannot parse, and of one whose password it takes for something else.
  private static func check(_ address: PostgresAddress, _ pq: verbatim_pq) throws(PostgresError) {
    var message: UnsafeMutablePointer<CChar>?
    let options = pq.parse(address.server, &message)
    defer {
      pq.release_options(options)
      pq.release(message)
    }
    guard let options else { throw .address }
    var password = ""
    for option in sequence(first: options, next: { $0 + 1 }) {
      guard let keyword = option.pointee.keyword else { break }
      if String(cString: keyword) == "password" { password = option.pointee.value.map { String(cString: $0) } ?? "" }
    }
    guard password == PostgresAddress.withoutPassword(address.server).password ?? "" else { throw .address }
  }

  /// A commit that does not wait for the disk is none. A connection whose client is gone without a word ends within
  /// half a minute, with the locks that it holds, instead of hours.
  private static let settings = """
    SET statement_timeout = 0; SET lock_timeout = 0;
    SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
    """

  deinit { pq.finish(handle) }

  /// Whether the connection can be used for further statements.
  var isUsable: Bool { pq.status(handle) == 0 }

  /// Returns whether the server has warned of anything since the last call.
  func takeWarning() -> Bool {
    defer { notices.hasWarning = false }
    return notices.hasWarning
  }

  /// The descriptor of the connection's socket.
  var descriptor: Int32 { pq.socket(handle) }

  // ExecStatusType.
  private static let hasRows: Int32 = 2
  private static let isDone: Int32 = 1

  /// Executes statements without parameters.
  func execute(_ text: String) throws(PostgresError) {
    let result = pq.execute(handle, text)
    defer { pq.clear(result) }
    let status = result.map { pq.result_status($0) } ?? -1
    guard status == Self.isDone || status == Self.hasRows else { throw Self.failure(result, handle, pq) }
  }

  /// Executes a statement; its parameters are the integers and after them the bytes.
  func execute(
    _ statement: Statement, _ integers: [Int64] = [], _ bytes: [UnsafeRawBufferPointer] = []
  ) throws(PostgresError) -> Rows {
    if !isPooled, !prepared.contains(statement.name) {
      let result = pq.prepare(handle, statement.name, statement.text, 0, nil)
      defer { pq.clear(result) }
      guard let result, pq.result_status(result) == Self.isDone else { throw Self.failure(result, handle, pq) }
      prepared.insert(statement.name)
    }
    let result = send(statement, integers, bytes)
    guard let result, [Self.isDone, Self.hasRows].contains(pq.result_status(result)) else {
      defer { pq.clear(result) }
      throw Self.failure(result, handle, pq)
    }
    return Rows(result, pq)
  }

  private func send(
    _ statement: Statement, _ integers: [Int64], _ bytes: [UnsafeRawBufferPointer]
  ) -> UnsafeMutableRawPointer? {
    let count = integers.count + bytes.count
    return withUnsafeTemporaryAllocation(of: Int64.self, capacity: max(integers.count, 1)) { numbers in
      withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: max(count, 1)) { values in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * max(count, 1)) { lengthsAndFormats in
          let (lengths, formats) = (lengthsAndFormats.baseAddress!, lengthsAndFormats.baseAddress! + count)
          func add(_ index: Int, _ start: UnsafeRawPointer, _ byteCount: Int) {
            values.initializeElement(at: index, to: start.assumingMemoryBound(to: CChar.self))
            (lengths + index).initialize(to: Int32(byteCount))
            (formats + index).initialize(to: 1)
          }
          for index in 0..<integers.count {
            numbers.initializeElement(at: index, to: integers[index].bigEndian)
            add(index, numbers.baseAddress! + index, 8)
          }
          for index in 0..<bytes.count {
            // NULL would be the value NULL, also of no bytes.
            add(integers.count + index, bytes[index].baseAddress ?? UnsafeRawPointer(lengths), bytes[index].count)
          }
          let values = UnsafePointer(values.baseAddress)
          if isPooled {
            return pq.execute_with(handle, statement.text, Int32(count), nil, values, lengths, formats, 1)
          }
          return pq.execute_prepared(handle, statement.name, Int32(count), values, lengths, formats, 1)
        }
      }
    }
  }

  /// Reads what the server sent without being asked; returns whether there was a notification.
  func takeNotifications() throws(PostgresError) -> Bool {
    guard pq.consume(handle) == 1 else { throw .connection(Self.reason(pq.error(handle))) }
    var isThere = false
    while let notification = pq.notification(handle) {
      pq.release(notification)
      isThere = true
    }
    return isThere
  }

  private static func failure(
    _ result: UnsafeMutableRawPointer?, _ handle: UnsafeMutableRawPointer, _ pq: verbatim_pq
  ) -> PostgresError {
    let state = result.flatMap { pq.result_error($0, Int32(UInt8(ascii: "C"))) }.map { String(cString: $0) }
    guard pq.status(handle) == 0, let state else { return .connection(reason(pq.error(handle))) }
    let message = result.flatMap { pq.result_error($0, Int32(UInt8(ascii: "M"))) }.map { String(cString: $0) }
    return .statement(state: state, message: message ?? "a statement failed")
  }

  private static func reason(_ message: UnsafeMutablePointer<CChar>?) -> String {
    reason(message.map { String(cString: $0) } ?? "")
  }

  /// Returns the lines of a message of libpq as one, such as those about each host of an address, without the hints,
  /// which begin with a tab.
  internal static func reason(_ message: String) -> String {
    let lines = message.split(separator: "\n").filter { !$0.hasPrefix("\t") }
    return lines.isEmpty ? "the connection was lost" : lines.joined(separator: "; ")
  }

  private static func withCStrings<R>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R
  ) -> R {
    let bytes = texts.map { Array($0.utf8CString) }
    var starts: [Int] = []
    var all: [CChar] = []
    for text in bytes {
      starts.append(all.count)
      all += text
    }
    return all.withUnsafeBufferPointer { all in
      let pointers: [UnsafePointer<CChar>?] = starts.map { all.baseAddress! + $0 } + [nil]
      return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
  }
}

/// The notices of a server besides the results of statements.
// Only the thread that uses the connection executes statements, and these call the receiver.
private final class Notices {
  var hasWarning = false

  static let receive: @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void = { notices, result in
    // PG_DIAG_SEVERITY_NONLOCALIZED.
    guard let notices, let pq = try? Library.shared().pq,
      let severity = pq.result_error(result, Int32(UInt8(ascii: "V")))
    else { return }
    if String(cString: severity) != "WARNING" { return }
    Unmanaged<Notices>.fromOpaque(notices).takeUnretainedValue().hasWarning = true
  }
}
