// One argument that a command takes, and where its value goes.

/// How an argument is written.
enum ParameterKind: Equatable {
  /// `--name`.
  case flag
  /// `--name VALUE` or `--name=VALUE`.
  case option
  /// `VALUE`, by its place.
  case positional
}

/// A flag, an option or a positional argument of a command.
struct Parameter<Owner> {
  let kind: ParameterKind
  /// The name without dashes; of a positional argument the placeholder.
  let name: String
  /// What stands for the value in the usage.
  let placeholder: String
  /// What it does.
  let help: String
  /// Whether the help says nothing of it.
  var isHidden = false
  /// Whether it may be given several times.
  var isRepeatable = false
  /// The values that there are; empty where there are too many to tell.
  var choices: [String] = []
  /// Whether it may be left out though it stands in its place; those that may stand last.
  var isOptional = false
  /// Puts the value into the command; a flag's is empty.
  let set: (inout Owner, String) throws(ValueDefect) -> Void

  /// A word that turns something on.
  static func flag(_ name: String, _ help: String, _ property: WritableKeyPath<Owner, Bool>) -> Self {
    Parameter(kind: .flag, name: name, placeholder: "", help: help) { owner, _ in
      owner[keyPath: property] = true
    }
  }

  /// A word followed by a value.
  static func option<Value: ArgumentValue>(
    _ name: String, _ placeholder: String, _ help: String, _ property: WritableKeyPath<Owner, Value?>
  ) -> Self {
    Parameter(kind: .option, name: name, placeholder: placeholder, help: help, choices: Value.choices) {
      owner, text throws(ValueDefect) in
      owner[keyPath: property] = try Value(argument: text)
    }
  }

  /// A word followed by a value, as often as one likes; the values keep their order.
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

  /// A value in its place.
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

  /// The same, of a whole that has the owner for a part.
  func of<Whole>(_ part: WritableKeyPath<Whole, Owner>) -> Parameter<Whole> {
    Parameter<Whole>(
      kind: kind, name: name, placeholder: placeholder, help: help, isHidden: isHidden, isRepeatable: isRepeatable,
      choices: choices, isOptional: isOptional
    ) { whole, text throws(ValueDefect) in
      try set(&whole[keyPath: part], text)
    }
  }

  /// The same, which may be left out.
  var optional: Self {
    var copy = self
    copy.isOptional = true
    return copy
  }

  /// Values in the last places, one or more; they keep their order.
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

  /// The same, unmentioned.
  var hidden: Self {
    var copy = self
    copy.isHidden = true
    return copy
  }
}

/// What an argument's text can become.
protocol ArgumentValue {
  /// The value that a text means.
  init(argument text: String) throws(ValueDefect)
  /// The texts of all values, where they are few enough to choose from; else empty.
  static var choices: [String] { get }
}

extension ArgumentValue {
  static var choices: [String] { [] }
}

/// An argument's text does not mean a value of its kind.
struct ValueDefect: Error {
  /// What it must be, to follow "must be".
  let expected: String
}

extension String: ArgumentValue {
  init(argument text: String) { self = text }
}

extension Int: ArgumentValue {
  /// A count: digits and nothing else.
  init(argument text: String) throws(ValueDefect) {
    guard isDigits(text), let count = Int(text) else {
      throw ValueDefect(expected: "a count: 0, 1, 2 …")
    }
    self = count
  }
}

/// Whether a text is digits of ASCII and nothing else.
func isDigits(_ text: String) -> Bool {
  text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}
