// Waits for whatever may happen to a program in a terminal.
internal import Dispatch
internal import Synchronization

/// Something to which a program in a terminal reacts.
package enum InputEvent: Hashable, Sendable {
  case key(Key)
  /// The window has another size; while there is a ``RawMode``.
  case resized(WindowSize)
  /// The process was stopped and goes on: what was painted is gone; while there is a ``RawMode``.
  case resumed
  /// ``Input/wake()`` was called, or the time of ``Input/wake(at:)`` has come.
  case woken
}

/// What comes from a terminal, from a thread that reads it.
///
/// One input at a time reads a descriptor, and one at a time has a process's signals.
package final class Input: Sendable {
  private let reader: Reader
  private let stream: AsyncStream<InputEvent>

  /// Reads a descriptor from now on.
  ///
  /// - Parameter patience: How long an escape waits for what makes a longer key of it.
  package init(descriptor: Int32 = 0, patience: Duration = .milliseconds(50)) {
    let reader = Reader(descriptor: descriptor, patience: patience)
    let (stream, continuation) = AsyncStream.makeStream(of: InputEvent.self)
    (self.reader, self.stream) = (reader, stream)
    // A queue that runs one after the other has a thread beside those on which tasks run.
    DispatchQueue(label: "terminal.input").async {
      reader.run { continuation.yield($0) }
      continuation.finish()
    }
  }

  deinit { reader.stop() }

  /// What happens, in order, for one task to iterate; it ends with the descriptor's input.
  package var events: some AsyncSequence<InputEvent, Never> & Sendable {
    // Whoever iterates keeps this, and with it the reader.
    stream.map { [self] event in
      if event == .woken { reader.isWoken.store(false, ordering: .releasing) }
      return event
    }
  }

  /// Makes a ``InputEvent/woken``, from whatever thread; until it is delivered, further calls make no other.
  package func wake() { reader.wake() }

  /// Makes a ``InputEvent/woken`` at a time, instead of at that which was set before; with nil, at none.
  package func wake(at time: ContinuousClock.Instant?) { reader.setAlarm(time) }
}
