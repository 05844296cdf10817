// A reference to a value that its owner keeps elsewhere.

/// A reference through which a view reads and writes a value of the app, such as the text of an input bar; what SwiftUI
/// calls a binding.
///
/// It is not `Sendable`: it is used in the isolation in which it was created.
public struct ValueBinding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  /// The value, read from its owner and written to it.
  public var value: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// Creates a binding from closures that read and write the value.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (self.get, self.set) = (get, set) }

  /// Creates a binding to a property of an object, which it retains.
  public init<Owner: AnyObject>(_ owner: Owner, _ property: ReferenceWritableKeyPath<Owner, Value>) {
    self.init {
      owner[keyPath: property]
    } set: {
      owner[keyPath: property] = $0
    }
  }

  /// Creates a binding to a value of its own, which its copies share.
  public init(_ value: Value) {
    var value = value
    self.init {
      value
    } set: {
      value = $0
    }
  }
}
