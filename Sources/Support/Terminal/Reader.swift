// The loop that waits for input, signals, and other threads.
internal import Locks
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A reader of a descriptor, until its end or until it is stopped.
final class Reader: Sendable {
  private typealias Timestamp = ContinuousClock.Instant

  /// Whether a wake is pending.
  let isWoken = Atomic(false)

  private let descriptor: Int32
  private let patience: Duration
  private let pipe = Pipe()
  private let isStopped = Atomic(false)
  private let alarm = Locked(ContinuousClock.Instant?.none)

  private static let byteCountMax = 1 << 16

  init(descriptor: Int32, patience: Duration) {
    (self.descriptor, self.patience) = (descriptor, patience)
  }

  /// The messages that other threads send through the pipe.
  private enum Word: UInt8 { case woken = 1, lookAgain }

  func wake() {
    if !isWoken.exchange(true, ordering: .acquiringAndReleasing) { pipe.send(Word.woken.rawValue) }
  }

  func setAlarm(_ time: ContinuousClock.Instant?) {
    alarm.withLock { $0 = time }
    pipe.send(Word.lookAgain.rawValue)
  }

  func stop() {
    isStopped.store(true, ordering: .releasing)
    pipe.send(Word.lookAgain.rawValue)
  }

  /// Waits and reports events.
  func run(_ tell: (InputEvent) -> Void) {
    var decoder = KeyDecoder()
    var decision: ContinuousClock.Instant?
    while true {
      let ready = wait(until: [decision, alarm.withLock { $0 }].compactMap(\.self).min())
      if isStopped.load(ordering: .acquiring) { return }
      if ready.pipe, pipe.receive().contains(Word.woken.rawValue) { tell(.woken) }
      if ready.signals { for news in SignalPipe.shared.hear() { tell(event(for: news)) } }
      if takeAlarm() { tell(.woken) }
      if ready.input {
        guard let bytes = receive() else { break }
        for key in decoder.decode(bytes) { tell(.key(key)) }
        decision = decoder.isUndecided ? .now + patience : nil
      } else if let time = decision, time <= .now {
        for key in decoder.flush() { tell(.key(key)) }
        decision = nil
      }
    }
    for key in decoder.flush() { tell(.key(key)) }
  }

  private func event(for news: SignalPipe.News) -> InputEvent {
    switch news {
    case .resized: .resized(WindowSize(of: descriptor))
    case .resumed: .resumed
    }
  }

  private func takeAlarm() -> Bool {
    alarm.withLock { time in
      guard let due = time, due <= .now else { return false }
      time = nil
      return true
    }
  }

  private func wait(until time: ContinuousClock.Instant?) -> (input: Bool, pipe: Bool, signals: Bool) {
    var slots = [descriptor, pipe.reading, SignalPipe.shared.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    guard poll(&slots, nfds_t(slots.count), time.map(milliseconds) ?? -1) > 0 else { return (false, false, false) }
    return (slots[0].revents != 0, slots[1].revents != 0, slots[2].revents != 0)
  }

  /// Returns the available bytes; nil at the end.
  private func receive() -> ArraySlice<UInt8>? {
    var bytes = [UInt8](repeating: 0, count: Self.byteCountMax)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count > 0 { return bytes[..<count] }
      if count < 0, errno == EINTR { continue }
      // With a non-blocking descriptor, another process may already have read the bytes.
      return count < 0 && errno == EAGAIN ? [] : nil
    }
  }
}

/// Returns the milliseconds until an instant, rounded up, at most one hour.
private func milliseconds(until time: ContinuousClock.Instant) -> Int32 {
  let left = min(max(.zero, time - .now), .seconds(3600)).components
  return Int32(left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1)
}
