// Takes a terminal over, and gives it back as it was.

/// A terminal that hands over each byte as it is typed and shows nothing by itself, while this exists.
///
/// It is given back exactly as it was: when this ends; by `exit`; by a signal that ends the process or tells of a
/// crash; while SIGTSTP has the process stopped. A signal's earlier handler, or the system's, comes after that. There
/// is one at a time. Pastes come as such, and ctrl-C is a key.
package struct RawMode: ~Copyable {
  /// Takes over the terminal that two descriptors lead to, one to read it and one to write to it.
  package init(input: Int32 = 0, output: Int32 = 1) throws(RawModeError) {
    try Custody.begin(input: input, output: output)
  }

  deinit { Custody.end() }

  /// Gives the terminal back.
  package consuming func leave() {}

  /// Stops the process and what else is in its job, as ctrl-Z does where it is no key; returns when they go on.
  package func suspend() { Custody.suspend() }
}

/// Why a terminal cannot be taken over.
package enum RawModeError: Error, Hashable, CustomStringConvertible {
  /// It is none: a file or a pipe.
  case noTerminal(descriptor: Int32)
  /// Another ``RawMode`` has one.
  case alreadyRaw
  /// The system's error code.
  case system(Int32)

  package var description: String {
    switch self {
    case .noTerminal(let descriptor): "Descriptor \(descriptor) is not a terminal: start the program in one."
    case .alreadyRaw: "The terminal is taken over already: leave the other raw mode first."
    case .system(let code): "The terminal cannot be set (error \(code)): start the program in another."
    }
  }
}
