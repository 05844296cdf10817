// Bit sets of enumeration cases, with a deterministic order.

/// A bit set of cases of an enumeration with raw values below 32.
public struct SmallSet<Element: CaseIterable & RawRepresentable<UInt8> & Sendable>: Hashable, Sendable {
  /// The bits of the cases, by raw value.
  public private(set) var bits: UInt32 = 0

  /// Creates an empty set.
  public init() {}

  /// Creates a set of these cases.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { insert(element) }
  }

  /// Creates a set from its bits; nil when a bit belongs to no case.
  public init?(bits: UInt32) {
    guard bits & ~SmallSet.all.bits == 0 else { return nil }
    self.bits = bits
  }

  /// The set of all cases.
  public static var all: SmallSet { SmallSet(Element.allCases) }

  /// Whether the set is empty.
  public var isEmpty: Bool { bits == 0 }

  /// The cases in declaration order.
  public var elements: [Element] { Element.allCases.filter(contains) }

  /// Returns whether the set contains a case.
  public func contains(_ element: Element) -> Bool { bits & 1 << UInt32(element.rawValue) != 0 }

  /// Returns whether all cases are in another set.
  public func isSubset(of other: SmallSet) -> Bool { bits & ~other.bits == 0 }

  /// Inserts a case.
  public mutating func insert(_ element: Element) { bits |= 1 << UInt32(element.rawValue) }

  /// Removes a case.
  public mutating func remove(_ element: Element) { bits &= ~(1 << UInt32(element.rawValue)) }

  /// Returns the cases in either set.
  public func union(_ other: SmallSet) -> SmallSet {
    var all = self
    all.bits |= other.bits
    return all
  }

  /// Returns the cases in both sets.
  public func intersection(_ other: SmallSet) -> SmallSet {
    var common = self
    common.bits &= other.bits
    return common
  }
}

extension SmallSet: ExpressibleByArrayLiteral {
  /// Creates a set from a literal.
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}
