// Parses the log's numbers and names from arguments.
internal import EventLog

extension Position: ArgumentValue {
  init(argument text: String) throws(ValueDefect) {
    guard let number = digits(text), number > 0 else { throw ValueDefect(expected: "a position: 1, 2, 3 …") }
    self.init(rawValue: number)
  }
}

extension StreamVersion: ArgumentValue {
  init(argument text: String) throws(ValueDefect) {
    guard let number = digits(text), number > 0 else { throw ValueDefect(expected: "a version: 1, 2, 3 …") }
    self.init(rawValue: number)
  }
}

extension Name: ArgumentValue {
  init(argument text: String) throws(ValueDefect) {
    guard let name = try? Name(text) else {
      throw ValueDefect(expected: "a name: 1 to \(Name.byteCountMax) bytes without control characters")
    }
    self = name
  }
}

private func digits(_ text: String) -> UInt64? {
  isDigits(text) ? UInt64(text) : nil
}
