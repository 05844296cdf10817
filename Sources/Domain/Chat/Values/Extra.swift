// Extra values: named values that an app adds to users, channels, messages and attachments.

/// The named values of an app.
///
/// Names are unique and sorted by their bytes, and numbers are compared by bit pattern: so equal values have the same
/// stored form.
public struct Extra: Hashable, Sendable {
  /// The fields, sorted by the bytes of their names.
  public private(set) var fields: [Field]

  /// A name and its value.
  public struct Field: Hashable, Sendable {
    /// The name of the value.
    public let name: UserText
    /// The value.
    public let value: Value

    /// Creates a field from a name and its value.
    public init(_ name: UserText, _ value: Value) { (self.name, self.value) = (name, value) }
  }

  /// A value of an app.
  public enum Value: Sendable {
    /// An explicit null, which differs from a missing field.
    case null
    /// A Boolean value.
    case bool(Bool)
    /// An integer.
    case integer(Int64)
    /// A floating-point number.
    case number(Double)
    /// A text.
    case text(UserText)
    /// A list of values.
    case list([Value])
    /// Nested named values.
    case fields(Extra)
  }

  /// Creates an empty collection.
  public init() { fields = [] }

  /// Creates a collection of fields; of two with the same name the later wins.
  public init(_ fields: [Field]) {
    self.init()
    for field in fields { self[field.name] = field.value }
  }

  /// Creates a collection of fields sorted by unique names; nil when they are not.
  public init?(ordered fields: [Field]) {
    guard zip(fields, fields.dropFirst()).allSatisfy({ $0.name < $1.name }) else { return nil }
    self.fields = fields
  }

  /// Whether there are no fields.
  public var isEmpty: Bool { fields.isEmpty }

  /// The value with a name.
  public subscript(name: UserText) -> Value? {
    get {
      let index = index(of: name)
      return index < fields.count && fields[index].name == name ? fields[index].value : nil
    }
    set {
      let index = index(of: name)
      let isHeld = index < fields.count && fields[index].name == name
      fields.replaceSubrange(index..<index + (isHeld ? 1 : 0), with: newValue.map { [Field(name, $0)] } ?? [])
    }
  }

  private func index(of name: UserText) -> Int {
    var low = 0
    var high = fields.count
    while low < high {
      let middle = (low + high) / 2
      if fields[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Extra.Value: Hashable {
  /// Returns whether both are equal, numbers by bit pattern.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a.bitPattern == b.bitPattern
    case (.text(let a), .text(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.fields(let a), .fields(let b)): a == b
    default: false
    }
  }

  /// Hashes the value, numbers by bit pattern.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value.bitPattern)
    case .text(let value): hasher.combine(value)
    case .list(let values): hasher.combine(values)
    case .fields(let fields): hasher.combine(fields)
    }
  }
}

extension Extra: ExpressibleByDictionaryLiteral {
  /// Creates a collection from a literal; of two fields with the same name the later wins.
  public init(dictionaryLiteral elements: (UserText, Value)...) {
    self.init(elements.map { Field($0, $1) })
  }
}

extension Extra.Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  /// Creates a text from a literal.
  public init(stringLiteral text: String) { self = .text(UserText(text)) }
  /// Creates an integer from a literal.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a floating-point number from a literal.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Creates a Boolean value from a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

// MARK: Size

extension Extra {
  /// The approximate number of bytes: those of names and texts, and eight for every other value.
  public var byteCount: Int { fields.reduce(0) { $0 + $1.name.byteCount + $1.value.byteCount } }

  /// The nesting depth of values: 0 for an empty collection.
  public var depth: Int { fields.map(\.value.depth).max().map { $0 + 1 } ?? 0 }
}

extension Extra.Value {
  fileprivate var byteCount: Int {
    switch self {
    case .null, .bool, .integer, .number: 8
    case .text(let text): text.byteCount + 8
    case .list(let values): values.reduce(8) { $0 + $1.byteCount }
    case .fields(let fields): fields.byteCount + 8
    }
  }

  fileprivate var depth: Int {
    switch self {
    case .null, .bool, .integer, .number, .text: 0
    case .list(let values): values.map(\.depth).max().map { $0 + 1 } ?? 0
    case .fields(let fields): fields.depth
    }
  }
}
