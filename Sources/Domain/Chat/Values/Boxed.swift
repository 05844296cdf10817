// Optional values that are rarely set, stored outside of the rows and contents that have them.

/// An optional value that is stored in a heap object, so that it adds only a pointer to the size of its owner.
///
/// Rows and contents are copied whole: a value that few of them have should not make each copy larger.
struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
  private var box: Box<Value>?

  init(_ value: Value? = nil) { box = value.map { Box($0) } }

  var value: Value? { box?.value }

  static func == (a: Boxed, b: Boxed) -> Bool { a.value == b.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Boxed: CustomReflectable {
  /// The mirror of the value: what is made of a row by reflection does not show the box.
  var customMirror: Mirror { Mirror(reflecting: value as Any) }
}

// An indirect case of an enum would do, but Swift 6.3 does not compile functions that consume a value with one.
private final class Box<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
