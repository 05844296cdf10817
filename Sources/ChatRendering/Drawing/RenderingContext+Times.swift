// Times in words, the same on every machine.
public import Foundation

extension RenderingContext {
  /// A time of day, as 14:05; with the day before it where nothing else tells it.
  public func time(_ date: Date, withDay: Bool) -> String {
    let parts = calendar.dateComponents([.hour, .minute], from: date)
    let time = "\(padded(parts.hour, to: 2)):\(padded(parts.minute, to: 2))"
    return withDay ? "\(day(date)) \(time)" : time
  }

  /// A day, as 2026-11-22.
  public func day(_ date: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    return "\(padded(parts.year, to: 4))-\(padded(parts.month, to: 2))-\(padded(parts.day, to: 2))"
  }

  private func padded(_ number: Int?, to count: Int) -> String {
    let digits = String(number ?? 0)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
