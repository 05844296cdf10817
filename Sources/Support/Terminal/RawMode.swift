// Puts a terminal into raw mode, and restores it.

/// A terminal in raw mode, in which each byte is delivered as it is typed and nothing is echoed, for the lifetime of
/// the value.
///
/// The terminal is restored exactly: when the value is destroyed; by `exit`; by a signal that ends the process or
/// reports a crash; while SIGTSTP has stopped the process. The signal's earlier handler, or the default action, runs
/// after that. Only one value can exist at a time. Pastes are bracketed, and ctrl-C is a key.
package struct RawMode: ~Copyable {
  /// Puts the terminal of two descriptors, for reading and for writing, into raw mode.
  package init(input: Int32 = 0, output: Int32 = 1) throws(RawModeError) {
    try SavedTerminal.begin(input: input, output: output)
  }

  deinit { SavedTerminal.end() }

  /// Restores the terminal.
  package consuming func leave() {}

  /// Stops the process group, as ctrl-Z does outside raw mode; returns when the process is continued.
  package func suspend() { SavedTerminal.suspend() }
}

/// The reason why a terminal cannot be put into raw mode.
package enum RawModeError: Error, Hashable, CustomStringConvertible {
  /// The descriptor is not a terminal but a file or a pipe.
  case noTerminal(descriptor: Int32)
  /// Another ``RawMode`` exists.
  case alreadyRaw
  /// A system call failed with this error code.
  case system(Int32)

  package var description: String {
    switch self {
    case .noTerminal(let descriptor): "Descriptor \(descriptor) is not a terminal: start the program in one."
    case .alreadyRaw: "The terminal is in raw mode already: leave the other raw mode first."
    case .system(let code): "The terminal cannot be set (error \(code)): start the program in another."
    }
  }
}
