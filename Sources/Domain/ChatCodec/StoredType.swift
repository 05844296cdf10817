// The types of stored events: shapes of the domain, and the types of app events.
internal import Bytes
public import Chat
public import EventLog

/// The type of a stored event.
public enum StoredType: Hashable, Sendable {
  /// An event of the domain, in one of its shapes: `messageSent.1`.
  case shape(Shape)
  /// An event of an app's own, in a version of the app's: `app/pollOpened.2`.
  case app(AppEvent.Name, version: UInt32)

  /// Creates the type with a name; nil when the name is invalid or unknown.
  public init?(name: RawSpan) {
    if let shape = Shape(name: name) {
      self = .shape(shape)
    } else {
      self.init(appName: name)
    }
  }

  /// Creates the type with a name; nil when the name is invalid or unknown.
  public init?(name: Name) {
    guard let type = name.withBytes({ StoredType(name: $0.bytes) }) else { return nil }
    self = type
  }

  /// The stored name of the type.
  public var name: Name {
    switch self {
    case .shape(let shape): Name(stringLiteral: shape.rawValue)
    case .app(let name, let version): Name(stringLiteral: "app/\(name).\(version)")
    }
  }

  /// The version of the shape or of the app's event.
  public var version: UInt32 {
    switch self {
    case .shape(let shape): shape.version
    case .app(_, let version): version
    }
  }
}

extension Shape {
  /// The index of each shape, by name.
  private static let numbers = {
    var numbers = ByteMap()
    for shape in allCases {
      var name = shape.rawValue
      _ = name.withUTF8 { numbers.insert(UnsafeRawBufferPointer($0)) }
    }
    return numbers
  }()

  /// Creates the shape with a name; nil when there is none.
  fileprivate init?(name: RawSpan) {
    guard let number = name.withUnsafeBytes({ Shape.numbers.number(of: $0) }) else { return nil }
    self = Shape.allCases[number]
  }
}

// MARK: Names with versions

extension StoredType {
  private init?(appName name: RawSpan) {
    guard let id = name.dropping(prefix: "app/"), let (family, version) = id.versioned else { return nil }
    guard let name = AppEvent.Name(spelledBy: id.extracting(0..<family)) else { return nil }
    self = .app(name, version: version)
  }
}

extension UnreadableEvent.Defect {
  /// Returns the defect of a name that is no ``StoredType``.
  public static func ofType(_ name: String) -> UnreadableEvent.Defect {
    var name = name
    return name.withUTF8 { bytes in
      let name = UnsafeRawBufferPointer(bytes).bytes
      guard let (end, version) = name.versioned else { return .unknownType }
      let family = name.extracting(0..<end).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      let known = Shape.allCases.filter { $0.family == family }.map(\.version).max()
      return known.map { version > $0 ? .newerVersion(known: $0) : .unknownType } ?? .unknownType
    }
  }
}

extension RawSpan {
  /// The end of the name before the last point, and the version after it; nil unless that is 1 or more, without leading
  /// zeros.
  fileprivate var versioned: (family: Int, version: UInt32)? {
    withUnsafeBytes { bytes in
      guard let point = bytes.lastIndex(of: UInt8(ascii: ".")) else { return nil }
      let digits = bytes[(point + 1)...]
      guard (1...10).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
      var version: UInt64 = 0
      for digit in digits {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
        version = version * 10 + UInt64(digit & 0x0F)
      }
      return UInt32(exactly: version).map { (point, $0) }
    }
  }
}
