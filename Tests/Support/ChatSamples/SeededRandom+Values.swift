// Random names, numbers and instants, with an increased probability of limits.
public import Chat
public import SeededRandom

extension SeededRandom {
  /// Returns true with a probability of 1 in `count`.
  public mutating func once(in count: Int) -> Bool { below(count) == 0 }

  /// Returns one of several values.
  public mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  /// Returns a value, or nil half of the time.
  public mutating func maybe<Value>(_ value: (inout SeededRandom) -> Value) -> Value? {
    once(in: 2) ? value(&self) : nil
  }

  /// Returns a list of values: often none, often one, sometimes many.
  public mutating func list<Value>(_ value: (inout SeededRandom) -> Value) -> [Value] {
    let count = pick([0, 0, 1, 1, 2, 3, 5, 12])
    return (0..<count).map { _ in value(&self) }
  }

  /// Returns true or false.
  public mutating func bool() -> Bool { once(in: 2) }

  /// Returns a name of 1 to 64 characters, with an increased probability of both ends.
  public mutating func id<Named>() -> ID<Named> {
    let count = pick([1, 2, 5, 8, 15, 16, 26, 36, 63, 64])
    let characters = (0..<count).map { _ in pick(idCharacters) }
    guard let id = try? ID<Named>(String(decoding: characters, as: UTF8.self)) else {
      preconditionFailure("\(characters) spell no id")
    }
    return id
  }

  /// Returns an instant: a recent one, one long before 1970, or the first or last possible one.
  public mutating func instant() -> Timestamp {
    switch below(4) {
    case 0: Timestamp(rawValue: integer())
    case 1: Timestamp(rawValue: pick([0, 1, -1, .min, .max, .min + 1, -62_135_596_800_000_000]))
    default: Timestamp(rawValue: 1_700_000_000_000_000 + Int64(below(1_000_000_000_000)))
    }
  }

  /// Returns a time span of any length, also a negative one.
  public mutating func microseconds() -> Microseconds { Microseconds(rawValue: integer()) }

  /// Returns an expiry with any end, or none.
  public mutating func term() -> Expiry { Expiry(until: maybe { $0.instant() }) }

  /// Returns an integer of any size and sign.
  public mutating func integer() -> Int64 {
    once(in: 8) ? pick([0, 1, -1, .min, .max]) : Int64(bitPattern: bool() ? number() : 0 &- number())
  }

  /// Returns a number of 32 bits of any size.
  public mutating func number32() -> UInt32 {
    once(in: 8) ? pick([0, 1, .max]) : UInt32(truncatingIfNeeded: number())
  }

  /// Returns a floating-point number: any bits, including infinities, both zeros and every kind of NaN.
  public mutating func double() -> Double {
    switch below(3) {
    case 0: Double(bitPattern: next())
    case 1: pick(oddDoubles)
    default: Double(below(2_000_000) - 1_000_000) / 64
    }
  }

  /// Returns an author, possibly with a device.
  public mutating func actor() -> Author {
    once(in: 4) ? .system : .user(id(), on: maybe { $0.id() })
  }

  /// Returns an author and an instant.
  public mutating func stamp() -> EventOrigin { EventOrigin(by: actor(), at: instant()) }

  /// Returns the instant and the device of an edit.
  public mutating func edit() -> Edit { Edit(at: instant(), on: maybe { $0.id() }) }

  /// Returns some cases of an enumeration.
  public mutating func some<Case>(of _: Case.Type = Case.self) -> SmallSet<Case> {
    var set = SmallSet<Case>()
    for element in Case.allCases where bool() { set.insert(element) }
    return once(in: 6) ? .all : set
  }
}

private let idCharacters = (UInt8(0x21)...0x7E).filter { $0 != UInt8(ascii: "/") }

private let oddDoubles: [Double] = [
  0, -0.0, 1, -1, .infinity, -.infinity, .nan, -.nan, .signalingNaN, Double(nan: 0x1234, signaling: false),
  Double(nan: 0x7_FFFF, signaling: true), .greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude,
  0.1, 1e300,
]
