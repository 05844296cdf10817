// What can be read of the content of a log.
package import EventLog

/// The content of a log's events: what can be read, what was erased, and what can neither be read nor was erased.
package struct ContentReport: Sendable {
  /// The number of events whose content can be read.
  package private(set) var readable = 0
  /// The number of events whose content was erased, by the position of the erasure.
  package private(set) var erased: [Position: Int] = [:]
  /// The number of events whose content can neither be read nor was erased.
  package private(set) var unreadable = 0
  /// The first hundred of those.
  package private(set) var findings: [ContentError] = []

  /// Reads all events of a log.
  package init(of log: any Log) throws(LogError) {
    var decryption = EventDecryption(with: log.content.cipher)
    try log.blocks(from: .first, .forward, checks: .full) { block throws(LogError) in
      for index in 0..<block.count {
        let event = block.event(at: index)
        if event.encrypted == nil { continue }
        do throws(LogError) {
          let erasure = try decryption.withDecrypted(event) { $0.erasedBy }
          if let erasure { erased[erasure, default: 0] += 1 } else { readable += 1 }
        } catch {
          guard let error = error.contentError else { throw error }
          unreadable += 1
          if findings.count < 100 { findings.append(error) }
        }
      }
      return .next
    }
  }
}
