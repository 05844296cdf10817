// Times as text, the same on every machine.
public import Chat
public import Foundation

extension RenderingContext {
  /// Returns a time of day, as 14:05, with the day before it if `withDay` is true.
  public func time(_ date: Date, withDay: Bool) -> String {
    let parts = calendar.dateComponents([.hour, .minute], from: date)
    let time = "\(padded(parts.hour, to: 2)):\(padded(parts.minute, to: 2))"
    return withDay ? "\(day(date)) \(time)" : time
  }

  /// Returns a day, as 2026-11-22.
  public func day(_ date: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    return "\(padded(parts.year, to: 4))-\(padded(parts.month, to: 2))-\(padded(parts.day, to: 2))"
  }

  /// Returns a duration, as 3:07.
  public func duration(_ span: Microseconds) -> String {
    let seconds = Int(max(0, span.rawValue) / 1_000_000)
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
    let start = hours > 0 ? "\(hours):\(padded(minutes, to: 2))" : String(minutes)
    return "\(start):\(padded(seconds % 60, to: 2))"
  }

  private func padded(_ number: Int?, to count: Int) -> String {
    let digits = String(number ?? 0)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
