// The response to a request: all at once, or as a stream.

/// The response of a web server.
public struct WebResponse: Sendable {
  /// The status: 200, 404.
  public var status: Int
  /// The header fields, without those that the server itself writes: the length, the date and the connection.
  public var headers: [WebRequest.Field]
  /// The content.
  public var content: Content

  /// The content of a response.
  public enum Content: Sendable {
    /// Bytes that are known when the response begins.
    case bytes([UInt8])
    /// Bytes that are sent as they come.
    case stream(WebStream)
  }

  /// Creates a response.
  public init(status: Int = 200, headers: [WebRequest.Field] = [], content: Content = .bytes([])) {
    (self.status, self.headers, self.content) = (status, headers, content)
  }

  /// Creates a response of plain text.
  public init(status: Int, text: String) {
    self.init(
      status: status, headers: [WebRequest.Field("Content-Type", "text/plain; charset=utf-8")],
      content: .bytes(Array(text.utf8)))
  }
}
