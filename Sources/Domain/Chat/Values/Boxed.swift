// Values that are rarely there, kept out of the rows and contents that nearly always are without them.

/// An optional value in a box of its own, so that a type with a property of it grows by one pointer only.
///
/// Rows and contents are copied whole: what few of them have should not cost the others.
struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
  private var box: Box<Value>?

  init(_ value: Value? = nil) { box = value.map { Box($0) } }

  var value: Value? { box?.value }

  static func == (a: Boxed, b: Boxed) -> Bool { a.value == b.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

// An indirect case of an enum would do, but Swift 6.3 does not compile functions that consume a value with one.
private final class Box<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
