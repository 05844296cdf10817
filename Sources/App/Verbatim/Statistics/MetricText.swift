// A writer of Prometheus' text format: families of samples, each family contiguous.

/// A text of metrics, with the families in the order of their first samples.
internal struct MetricText {
  private struct Family {
    let head: String
    var samples = ""
  }

  /// The common prefix of all metric names.
  static let prefix = "verbatim_"
  /// Labels that are reserved for samples within one workspace.
  static let ownLabels: Set = ["file", "le", "outcome", "tables"]

  private var families: [Family] = []
  private var numbers: [String: Int] = [:]
  private var labels: [(name: String, value: String)] = []

  /// Sets the labels of all following samples.
  mutating func begin(_ labels: [(name: String, value: String)]) {
    for (index, label) in labels.enumerated() {
      precondition(Self.isLabel(label.name), "\(label.name) is not a valid label name")
      precondition(
        !labels[..<index].contains { $0.name == label.name }, "the label \(label.name) is given more than once")
    }
    self.labels = labels
  }

  private static func isLabel(_ name: String) -> Bool {
    guard let first = name.utf8.first, !UInt8.digits.contains(first), !name.hasPrefix("__") else { return false }
    return !ownLabels.contains(name) && name.utf8.allSatisfy { UInt8.letters.contains($0) }
  }

  mutating func gauge(
    _ name: String, _ help: String, _ value: some CustomStringConvertible, _ own: [(String, String)] = []
  ) {
    add("", value, own, to: family(name, help, "gauge"), name)
  }

  /// Adds a value that never decreases while a process has the workspace open; its name ends in `_total`.
  mutating func counter(
    _ name: String, _ help: String, _ value: some CustomStringConvertible, _ own: [(String, String)] = []
  ) {
    add("", value, own, to: family(name, help, "counter"), name)
  }

  /// Adds counts by upper bound; the last count is for values above all bounds.
  mutating func histogram(
    _ name: String, _ help: String, bounds: [String], counts: [Int], sum: some CustomStringConvertible
  ) {
    let family = family(name, help, "histogram")
    var count = 0
    for (bound, more) in zip(bounds + ["+Inf"], counts) {
      count += more
      add("_bucket", count, [("le", bound)], to: family, name)
    }
    add("_sum", sum, [], to: family, name)
    add("_count", count, [], to: family, name)
  }

  /// Returns the complete text; every line ends with a newline.
  func finished() -> String { families.map { $0.head + $0.samples }.joined() }

  private mutating func family(_ name: String, _ help: String, _ kind: String) -> Int {
    if let number = numbers[name] { return number }
    let name = (short: name, full: Self.prefix + name)
    numbers[name.short] = families.count
    families.append(Family(head: "# HELP \(name.full) \(help)\n# TYPE \(name.full) \(kind)\n"))
    return families.count - 1
  }

  private mutating func add(
    _ suffix: String, _ value: some CustomStringConvertible, _ own: [(String, String)], to family: Int, _ name: String
  ) {
    let labels = (labels + own).map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    families[family].samples +=
      "\(Self.prefix)\(name)\(suffix)" + (labels.isEmpty ? "" : "{\(labels)}") + " \(value)\n"
  }

  /// Returns a label's value escaped for quotes.
  private static func escaped(_ value: String) -> String {
    var text = ""
    // By scalars: a carriage return and a line feed are one character.
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension UInt8 {
  fileprivate static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  fileprivate static let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789".utf8)
}
