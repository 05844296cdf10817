// Waits for the events of a program in a terminal.
internal import Dispatch
internal import Synchronization

/// An event to which a program in a terminal reacts.
package enum InputEvent: Hashable, Sendable {
  case key(Key)
  /// The window size changed; sent while there is a ``RawMode``.
  case resized(WindowSize)
  /// The process was stopped and continued, so painted rows are lost; sent while there is a ``RawMode``.
  case resumed
  /// ``Input/wake()`` was called, or the time of ``Input/wake(at:)`` was reached.
  case woken
}

/// The events of a terminal, read by a thread of their own.
///
/// Only one input at a time can read a descriptor, and only one at a time can receive a process's signals.
package final class Input: Sendable {
  private let reader: Reader
  private let stream: AsyncStream<InputEvent>

  /// Starts reading a descriptor.
  ///
  /// - Parameter patience: The time for which an escape waits for the rest of a longer key sequence.
  package init(descriptor: Int32 = 0, patience: Duration = .milliseconds(50)) {
    let reader = Reader(descriptor: descriptor, patience: patience)
    let (stream, continuation) = AsyncStream.makeStream(of: InputEvent.self)
    (self.reader, self.stream) = (reader, stream)
    // A serial queue has a thread outside the pool of concurrent tasks.
    DispatchQueue(label: "terminal.input").async {
      reader.run { continuation.yield($0) }
      continuation.finish()
    }
  }

  deinit { reader.stop() }

  /// The events in order, for a single task to iterate; the sequence ends at the end of the descriptor's input.
  package var events: some AsyncSequence<InputEvent, Never> & Sendable {
    // The iterating task keeps this, and with it the reader.
    stream.map { [self] event in
      if event == .woken { reader.isWoken.store(false, ordering: .releasing) }
      return event
    }
  }

  /// Sends an ``InputEvent/woken`` from any thread; calls before its delivery are coalesced.
  package func wake() { reader.wake() }

  /// Schedules an ``InputEvent/woken`` at a time, replacing the previous schedule; nil cancels it.
  package func wake(at time: ContinuousClock.Instant?) { reader.setAlarm(time) }
}
