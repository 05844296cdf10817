// Storage of values that few rows have.

/// An optional value in storage of its own.
///
/// Rows are copied at each event. A value that few rows have is stored beside the row, so that the others stay small.
struct Sparse<Value: Hashable & Sendable>: Hashable, Sendable {
  private var box: Box?

  /// The value; nil when there is none.
  var value: Value? {
    get { box?.value }
    set { box = newValue.map { Box($0) } }
  }

  /// Returns whether the values are equal.
  static func == (a: Sparse, b: Sparse) -> Bool { a.box === b.box || a.value == b.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }

  // An indirect case of an enum would do, if the compiler (6.3) checked consuming functions on it without crashing.
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}
