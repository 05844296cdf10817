// A scenario: JSON lines of actions in a workspace and of expectations.
internal import Chat
internal import Errors
internal import JSONLines

/// A test script of actions in a workspace and of expectations, line by line.
///
/// The page <doc:ScenarioFormat> describes the format of the lines.
public struct Scenario: Sendable {
  /// The title.
  public let title: String
  /// The names of the rules that the scenario demonstrates, as used in lists of rules.
  public let rules: [String]
  let settings: Settings
  let lines: [Line]

  /// A line after the first.
  struct Line: Sendable {
    /// The line's number in the file: 1 for the first.
    let number: Int
    let target: TargetChange
    let content: Content
  }

  /// The content of a line.
  enum Content: Sendable {
    /// The line performs an action.
    case scenarioAction(Verb, ScenarioAction)
    /// The line states expectations.
    case expectations([Expectation])
  }

  /// An expected value.
  struct Expectation: Sendable {
    let probe: Probe
    let expected: JSON
  }

  /// Reads a scenario of one JSON text per line; empty lines are ignored.
  public init(_ bytes: some Sequence<UInt8>) throws(ScenarioDefect) {
    let texts = Array(bytes).split(separator: 0x0A, omittingEmptySubsequences: false)
    var rest = texts.enumerated().map { (number: $0 + 1, bytes: Array($1)) }.filter { !$0.bytes.allSatisfy(isSpace) }
    guard !rest.isEmpty else { throw ScenarioDefect(line: 1, "The scenario is empty: begin with {\"scenario\":1,…}.") }
    let first = rest.removeFirst()
    settings = try Self.read(first.bytes, line: first.number) { json throws(InputDefect) in try Settings(json) }
    (title, rules) = (settings.title, settings.rules)
    lines = try rest.map { line throws(ScenarioDefect) in
      try Self.read(line.bytes, line: line.number) { json throws(InputDefect) in try Line(json, number: line.number) }
    }
  }

  private static func read<Value>(
    _ bytes: [UInt8], line: Int, _ body: (JSON) throws(InputDefect) -> Value
  ) throws(ScenarioDefect) -> Value {
    let json = try rethrow(
      JSONParser.parse(bytes),
      as: { (defect: InputDefect) in
        ScenarioDefect(
          line: line, "The line is not JSON (\(defect.description)): write one JSON object to a line.")
      })
    return try rethrow(
      body(json), as: { (defect: InputDefect) in ScenarioDefect(line: line, defect.description) })
  }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

/// An invalid scenario.
public struct ScenarioDefect: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the invalid line: 1 for the first.
  public let line: Int
  /// The defect in one sentence, with what to do.
  public let reason: String

  init(line: Int, _ reason: String) { (self.line, self.reason) = (line, reason) }

  /// The line number and the defect.
  public var description: String { "line \(line): \(reason)" }
}

// MARK: Lines

/// A change of the current user, device, channel and thread; nil keeps the value of the previous line.
struct TargetChange: Sendable {
  var user: User.ID?
  var device: Device.ID?
  var channel: Channel.ID?
  var thread: String?

  /// The keys of the target, with their help.
  static let keys = [
    Verb.Argument("as", "the user who acts or looks; on the device `phone` by default"),
    Verb.Argument("device", "the device of the user"),
    Verb.Argument("in", "the channel"),
    Verb.Argument("thread", "the parent message of the thread; reset by `in`"),
  ]

  init(_ reader: inout ObjectReader) throws(InputDefect) {
    user = try reader.id("as")
    device = try reader.id("device")
    channel = try reader.id("in")
    thread = try reader.text("thread")
  }
}

extension Scenario.Line {
  /// Reads a line from an object: the first key that is not part of the target is the verb.
  init(_ json: JSON, number: Int) throws(InputDefect) {
    guard case .object(let members) = json else {
      throw InputDefect("A line must be an object, and this one is \(json.kind).")
    }
    let targetKeys = TargetChange.keys.map(\.name)
    guard let word = members.map(\.key).first(where: { !targetKeys.contains($0) }) else {
      throw InputDefect("The line has a place and no action: add a verb, or “expect”.")
    }
    self.number = number
    if word == "expect" {
      var reader = try ObjectReader(json, what: "an expectation")
      target = try TargetChange(&reader)
      content = .expectations(try Self.expectations(reader.value(word) ?? .null))
      try reader.finish()
      return
    }
    guard let verb = Verb.all.first(where: { $0.name == word }) else {
      let advice = nearest(to: word, among: Verb.all.map(\.name) + ["expect"]).map { "did you mean “\($0)”?" }
      throw InputDefect("“\(word)” is not a verb: \(advice ?? "the page ScenarioFormat lists them.")")
    }
    var reader = try ObjectReader(json, what: "“\(word)”")
    target = try TargetChange(&reader)
    content = .scenarioAction(verb, try verb.read(&reader))
    try reader.finish()
  }

  private static func expectations(_ json: JSON) throws(InputDefect) -> [Scenario.Expectation] {
    guard case .object(let members) = json, !members.isEmpty else {
      throw InputDefect("“expect” must be an object of expected values.")
    }
    return try members.map { member throws(InputDefect) in
      guard let probe = Probe.all.first(where: { $0.name == member.key }) else {
        let advice = nearest(to: member.key, among: Probe.all.map(\.name)).map { "did you mean “\($0)”?" }
        throw InputDefect("“\(member.key)” cannot be expected: \(advice ?? "the page ScenarioFormat lists what can.")")
      }
      return Scenario.Expectation(probe: probe, expected: member.value)
    }
  }
}
