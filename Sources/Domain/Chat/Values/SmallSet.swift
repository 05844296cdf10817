// Sets of a few cases, without a hash order.

/// A set of some of the cases of an enumeration with numbers below 32.
public struct SmallSet<Element: CaseIterable & RawRepresentable<UInt8> & Sendable>: Hashable, Sendable {
  /// A bit for each case.
  public private(set) var bits: UInt32 = 0

  /// No cases.
  public init() {}

  /// These cases.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { insert(element) }
  }

  /// The cases of some bits; nil when a bit stands for none.
  public init?(bits: UInt32) {
    guard bits & ~SmallSet.all.bits == 0 else { return nil }
    self.bits = bits
  }

  /// Every case.
  public static var all: SmallSet { SmallSet(Element.allCases) }

  /// Whether there are none.
  public var isEmpty: Bool { bits == 0 }

  /// The cases in the order of their numbers.
  public var elements: [Element] { Element.allCases.filter(contains) }

  /// Whether a case is among them.
  public func contains(_ element: Element) -> Bool { bits & 1 << UInt32(element.rawValue) != 0 }

  /// Whether all of them are among others.
  public func isSubset(of other: SmallSet) -> Bool { bits & ~other.bits == 0 }

  /// Adds a case.
  public mutating func insert(_ element: Element) { bits |= 1 << UInt32(element.rawValue) }

  /// Takes a case out.
  public mutating func remove(_ element: Element) { bits &= ~(1 << UInt32(element.rawValue)) }

  /// These and others.
  public func union(_ other: SmallSet) -> SmallSet {
    var all = self
    all.bits |= other.bits
    return all
  }

  /// Those that are among others too.
  public func intersection(_ other: SmallSet) -> SmallSet {
    var common = self
    common.bits &= other.bits
    return common
  }
}

extension SmallSet: ExpressibleByArrayLiteral {
  /// Cases written in the program.
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}
