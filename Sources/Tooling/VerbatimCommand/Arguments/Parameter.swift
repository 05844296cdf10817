// The parameters of a command, and the properties that they set.

/// The syntax of a parameter.
enum ParameterKind: Equatable {
  /// A flag without a value: `--name`.
  case flag
  /// An option with a value: `--name VALUE` or `--name=VALUE`.
  case option
  /// A positional argument: `VALUE`, by its position.
  case positional
}

/// A flag, an option or a positional argument of a command.
struct Parameter<Owner> {
  let kind: ParameterKind
  /// The name without dashes; for a positional argument its placeholder.
  let name: String
  /// The placeholder of the value in the usage.
  let placeholder: String
  /// The help text.
  let help: String
  /// Whether the help omits the parameter.
  var isHidden = false
  /// Whether the parameter may be given several times.
  var isRepeatable = false
  /// The possible values; empty where there are too many to list.
  var choices: [String] = []
  /// Whether a positional argument may be left out; only the last ones may.
  var isOptional = false
  /// Sets the value in the command; a flag's value is empty.
  let set: (inout Owner, String) throws(ValueDefect) -> Void

  /// Returns a parameter that sets a Boolean property.
  static func flag(_ name: String, _ help: String, _ property: WritableKeyPath<Owner, Bool>) -> Self {
    Parameter(kind: .flag, name: name, placeholder: "", help: help) { owner, _ in
      owner[keyPath: property] = true
    }
  }

  /// Returns a parameter of a name and a value.
  static func option<Value: ArgumentValue>(
    _ name: String, _ placeholder: String, _ help: String, _ property: WritableKeyPath<Owner, Value?>
  ) -> Self {
    Parameter(kind: .option, name: name, placeholder: placeholder, help: help, choices: Value.choices) {
      owner, text throws(ValueDefect) in
      owner[keyPath: property] = try Value(argument: text)
    }
  }

  /// Returns a parameter that may be given any number of times; the values keep their order.
  static func options<Value: ArgumentValue>(
    _ name: String, _ placeholder: String, _ help: String, _ property: WritableKeyPath<Owner, [Value]>
  ) -> Self {
    var parameter = Parameter(
      kind: .option, name: name, placeholder: placeholder, help: help, choices: Value.choices
    ) {
      owner, text throws(ValueDefect) in
      owner[keyPath: property].append(try Value(argument: text))
    }
    parameter.isRepeatable = true
    return parameter
  }

  /// Returns a positional parameter.
  static func positional<Value: ArgumentValue>(
    _ placeholder: String, _ help: String, _ property: WritableKeyPath<Owner, Value>
  ) -> Self {
    Parameter(
      kind: .positional, name: placeholder, placeholder: placeholder, help: help, choices: Value.choices
    ) {
      owner, text throws(ValueDefect) in
      owner[keyPath: property] = try Value(argument: text)
    }
  }

  /// Returns the same parameter for a type that contains the owner.
  func of<Whole>(_ part: WritableKeyPath<Whole, Owner>) -> Parameter<Whole> {
    Parameter<Whole>(
      kind: kind, name: name, placeholder: placeholder, help: help, isHidden: isHidden, isRepeatable: isRepeatable,
      choices: choices, isOptional: isOptional
    ) { whole, text throws(ValueDefect) in
      try set(&whole[keyPath: part], text)
    }
  }

  /// The same parameter, optional.
  var optional: Self {
    var copy = self
    copy.isOptional = true
    return copy
  }

  /// Returns a positional parameter for one or more values at the end; they keep their order.
  static func positionals<Value: ArgumentValue>(
    _ placeholder: String, _ help: String, _ property: WritableKeyPath<Owner, [Value]>
  ) -> Self {
    var parameter = Parameter(kind: .positional, name: placeholder, placeholder: placeholder, help: help) {
      owner, text throws(ValueDefect) in
      owner[keyPath: property].append(try Value(argument: text))
    }
    parameter.isRepeatable = true
    return parameter
  }

  /// The same parameter, omitted from the help.
  var hidden: Self {
    var copy = self
    copy.isHidden = true
    return copy
  }
}

/// A type that can be parsed from an argument.
protocol ArgumentValue {
  /// Parses the value from its text.
  init(argument text: String) throws(ValueDefect)
  /// The texts of all values, where they are few enough to choose from; otherwise empty.
  static var choices: [String] { get }
}

extension ArgumentValue {
  static var choices: [String] { [] }
}

/// An error for text that is not a valid value of its type.
struct ValueDefect: Error {
  /// The expected form, which completes "must be".
  let expected: String
}

extension String: ArgumentValue {
  init(argument text: String) { self = text }
}

extension Int: ArgumentValue {
  /// Parses a count: digits and nothing else.
  init(argument text: String) throws(ValueDefect) {
    guard isDigits(text), let count = Int(text) else {
      throw ValueDefect(expected: "a number from 0 to \(Int.max)")
    }
    self = count
  }
}

/// Returns whether the text consists of ASCII digits.
func isDigits(_ text: String) -> Bool {
  text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}

/// Returns why the number of an option cannot be used, since it is 0 or above a maximum; nil where it can.
func unusable(_ number: Int?, of option: String, max: Int = .max) -> String? {
  guard let number, number == 0 || number > max else { return nil }
  return "--\(option) is \(number) and must be 1 or more" + (max == .max ? "." : ", and \(max) at most.")
}
