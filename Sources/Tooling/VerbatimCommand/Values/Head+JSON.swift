// The end of a log as members of a JSON object.
internal import EventLog
internal import JSONLines

extension JSONWriter {
  /// Writes the numbers of events and blocks of a log, and its chain hash.
  mutating func members(of head: Head) {
    member("events", head.position.rawValue)
    member("blocks", head.blocks)
    member("hash", "\(head.hash)")
  }
}
