// The values of failures: ids, instants, numbers and cases in extra values.

extension Extra.Value {
  /// Returns an id as a text.
  package static func id<Named>(_ id: ID<Named>) -> Extra.Value { .text(UserText(id.text)) }

  /// Returns an instant as an integer: microseconds since 1970-01-01 UTC.
  package static func instant(_ instant: Timestamp) -> Extra.Value { .integer(instant.rawValue) }

  /// Returns a count as an integer.
  package static func count(_ count: Int) -> Extra.Value { .integer(Int64(count)) }

  /// Returns the name of a case without associated values as a text.
  package static func option(_ option: some CaseIterable) -> Extra.Value { .text(UserText("\(option)")) }
}

extension Extra {
  /// Returns the text with a name; nil if there is none.
  package func text(_ name: UserText) -> UserText? { if case .text(let text)? = self[name] { text } else { nil } }

  /// Returns the integer with a name; nil if there is none.
  package func integer(_ name: UserText) -> Int64? {
    if case .integer(let value)? = self[name] { value } else { nil }
  }

  /// Returns the count with a name; nil if there is none.
  package func count(_ name: UserText) -> Int? { integer(name).flatMap { Int(exactly: $0) } }

  /// Returns the instant with a name; nil if there is none.
  package func instant(_ name: UserText) -> Timestamp? { integer(name).map { Timestamp(rawValue: $0) } }

  /// Returns the id with a name; nil if there is none.
  package func id<Named>(_ name: UserText) -> ID<Named>? { text(name).flatMap { ID(rawValue: $0.string) } }

  /// Returns the case whose name is the text with a name; nil if there is none.
  package func option<Case: CaseIterable>(_ name: UserText) -> Case? {
    text(name).flatMap { text in Case.allCases.first { "\($0)" == text.string } }
  }

  /// Returns the values with others added.
  package func adding(_ others: Extra) -> Extra { Extra(fields + others.fields) }
}
