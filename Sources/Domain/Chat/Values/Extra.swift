// What an app adds to users, channels, messages and attachments: named values.

/// Named values of an app's own.
///
/// Names are ordered by their bytes, each comes once, and numbers are the same when their bits are: so equal ones have
/// one stored form.
public struct Extra: Hashable, Sendable {
  /// The names with their values, in the order of the names' bytes.
  public private(set) var fields: [Field]

  /// A name and its value.
  public struct Field: Hashable, Sendable {
    /// What the value is called.
    public let name: UserText
    /// The value.
    public let value: Value

    /// A name with its value.
    public init(_ name: UserText, _ value: Value) { (self.name, self.value) = (name, value) }
  }

  /// A value.
  public enum Value: Sendable {
    /// Nothing, which is not the same as no field.
    case null
    /// Yes or no.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction.
    case number(Double)
    /// A text.
    case text(UserText)
    /// Values in order.
    case list([Value])
    /// Named values.
    case fields(Extra)
  }

  /// No values.
  public init() { fields = [] }

  /// Named values; of two with one name the later holds.
  public init(_ fields: [Field]) {
    self.init()
    for field in fields { self[field.name] = field.value }
  }

  /// Named values that are in order already; nil when they are not.
  public init?(ordered fields: [Field]) {
    guard zip(fields, fields.dropFirst()).allSatisfy({ $0.name < $1.name }) else { return nil }
    self.fields = fields
  }

  /// Whether there are none.
  public var isEmpty: Bool { fields.isEmpty }

  /// The value with a name.
  public subscript(name: UserText) -> Value? {
    get {
      let place = place(of: name)
      return place < fields.count && fields[place].name == name ? fields[place].value : nil
    }
    set {
      let place = place(of: name)
      let isHeld = place < fields.count && fields[place].name == name
      fields.replaceSubrange(place..<place + (isHeld ? 1 : 0), with: newValue.map { [Field(name, $0)] } ?? [])
    }
  }

  private func place(of name: UserText) -> Int {
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
  /// Whether both are the same, numbers bit by bit.
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

  /// Feeds the value, numbers by their bits.
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
  /// Named values written in the program; of two with one name the later holds.
  public init(dictionaryLiteral elements: (UserText, Value)...) {
    self.init(elements.map { Field($0, $1) })
  }
}

extension Extra.Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  /// A text written in the program.
  public init(stringLiteral text: String) { self = .text(UserText(text)) }
  /// A whole number written in the program.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A number with a fraction written in the program.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Yes or no, written in the program.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

// MARK: How large they are

extension Extra {
  /// About how many bytes they take: those of names and texts, and eight for all else.
  public var byteCount: Int { fields.reduce(0) { $0 + $1.name.byteCount + $1.value.byteCount } }

  /// How deep values lie within values: 0 when there are none.
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
