// The attachments that a command copied, as members of a JSON object.
internal import JSONLines

extension JSONWriter {
  /// Writes the number of attachments, and for which reasons others are missing.
  mutating func members(attachments count: Int, missing reasons: [String]) {
    member("attachments", count)
    key("missing")
    array { for reason in reasons { $0.string(reason) } }
  }
}
