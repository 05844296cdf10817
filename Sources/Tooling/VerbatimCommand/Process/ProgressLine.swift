// Shows the progress of work that takes longer than a second on a terminal.
internal import JSONLines
internal import Locks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A line on standard error with the progress, the rate and the remaining time.
///
/// Where standard error is not a terminal, nothing is shown, or lines of JSON where the context asks for them. Nothing
/// is shown within the first second.
final class ProgressLine: Sendable {
  private struct State {
    var shown: ContinuousClock.Instant
    var isThere = false
  }

  private let descriptor: Int32
  private let what: String
  private let isSeen: Bool
  /// Whether each report is a line of JSON.
  private let isJSON: Bool
  private let began: ContinuousClock.Instant
  private let state: Locked<State>

  /// Creates a line that counts things, as "events"; hidden where the results are printed on a terminal.
  init(_ what: String, in context: Context, besides output: Int32? = nil, now: ContinuousClock.Instant = .now) {
    (descriptor, self.what, began) = (context.errors, what, now)
    let isTerminal = isatty(context.errors) == 1 && output.map { isatty($0) == 0 } ?? true
    (isSeen, isJSON) = (isTerminal || context.reportsProgress, context.reportsProgress)
    // The line appears after a second, and changes four times a second at most.
    state = Locked(State(shown: now + .milliseconds(750)))
  }

  /// Reports how many are done, of how many if the total is known.
  func reach(_ count: UInt64, of total: UInt64?, now: @autoclosure () -> ContinuousClock.Instant = .now) {
    guard isSeen else { return }
    let now = now()
    state.withLock { state in
      guard state.shown.duration(to: now) >= .milliseconds(250) else { return }
      (state.shown, state.isThere) = (now, !isJSON)
      if isJSON { return say(Self.json(count, of: total)) }
      say("\r\u{1B}[K" + Self.text(what, count, of: total, after: began.duration(to: now)))
    }
  }

  /// Removes the line.
  func end() {
    state.withLock { state in
      if state.isThere { say("\r\u{1B}[K") }
      state.isThere = false
    }
  }

  private func say(_ text: String) {
    var output = Output(descriptor)
    try? output.write(Array(text.utf8))
    try? output.flush()
  }

  /// Returns the report as a line of JSON.
  static func json(_ count: UInt64, of total: UInt64?) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("done", count)
      writer.member("of", total)
    }
    writer.endLine()
    return writer.text
  }

  /// Returns the text of the line.
  static func text(_ what: String, _ count: UInt64, of total: UInt64?, after time: Duration) -> String {
    let seconds = max(time / .seconds(1), 0.001)
    let rate = Double(count) / seconds
    var parts = [total.map { "\(count.grouped) of \($0.grouped) \(what)" } ?? "\(count.grouped) \(what)"]
    parts.append("\(UInt64(rate).grouped) a second")
    if let total, count > 0 {
      let left = Double(total - min(count, total)) / rate
      parts.append(left < 90 ? "\(UInt64(left.rounded(.up))) s left" : "\(UInt64((left / 60).rounded(.up))) min left")
    }
    return parts.joined(separator: ", ")
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// The number with its digits in groups of three.
  var grouped: String {
    let digits = Array(String(self))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }
}
