// Plays a scenario line by line; each line begins after the effects of the previous one are complete.
internal import ChatComposer
internal import JSONLines
internal import Verbatim

extension Scenario {
  /// Plays the scenario in a new workspace at a path, and returns a report of the differences.
  ///
  /// Playing is deterministic: two runs produce the same log, byte by byte, because the clock only moves on request and
  /// ids come in a fixed order. After each line the trace closure receives the state of the target's composer as a line
  /// of JSON.
  @MainActor
  public func play(
    in path: String, cacheDirectory: String? = nil, isErasable: Bool = false,
    trace: (@MainActor (String) -> Void)? = nil
  ) async throws -> ScenarioReport {
    let player = try Player(settings, in: path, cacheDirectory: cacheDirectory, isErasable: isErasable)
    var run = Run(player: player, trace: trace)
    do {
      do {
        try await within(Deadline.ofLine, awaiting: "the users and channels") { try await player.begin() }
      } catch {
        throw ScenarioFailure("Line 1: \(Refused(error)?.sentence ?? "\(error)")")
      }
      for line in lines { try await run.play(line) }
      run.complainOfRefusal()
      try await run.end()
    } catch {
      try? await run.end()
      throw error
    }
    return ScenarioReport(title: title, lineCount: lines.count, findings: run.findings, defects: run.defects)
  }
}

/// A running scenario.
@MainActor
private struct Run {
  let player: Player
  let trace: (@MainActor (String) -> Void)?
  var findings: [ScenarioReport.Finding] = []
  var defects: [ScenarioReport.Mismatch] = []
  /// The number of a refused line whose refusal has not been expected yet.
  private var unexpected: Int?

  init(player: Player, trace: (@MainActor (String) -> Void)?) { (self.player, self.trace) = (player, trace) }

  mutating func play(_ line: Scenario.Line) async throws {
    switch line.content {
    case .scenarioAction(let verb, let scenarioAction): try await perform(scenarioAction, of: verb.name, at: line)
    case .expectations(let expectations):
      player.go(line.target)
      for expectation in expectations { try await look(expectation, at: line.number) }
    }
    guard let trace else { return }
    let player = player
    trace(
      try await atLine(line.number, awaiting: "the presentation of the composer") {
        try await player.trace(line: line.number)
      })
  }

  /// Ends all background work.
  func end() async throws {
    let player = player
    try await within(Deadline.ofLine, awaiting: "the workspace to close") { await player.end() }
  }

  /// Runs a part of a line; errors other than refusals are reported with the line's number.
  private func atLine<R: Sendable>(
    _ number: Int, awaiting awaited: String, _ body: @escaping @MainActor () async throws -> R
  ) async throws -> R {
    do { return try await within(Deadline.ofLine, awaiting: awaited, body) } catch {
      if Refused(error) != nil { throw error }
      throw ScenarioFailure("Line \(number): \((error as? InputDefect)?.description ?? "\(error)")")
    }
  }

  private mutating func perform(_ scenarioAction: @escaping ScenarioAction, of verb: String, at line: Scenario.Line)
    async throws
  {
    let player = player
    complainOfRefusal()
    try player.mark()
    player.go(line.target)
    player.refusal = nil
    do {
      try await atLine(line.number, awaiting: "“\(verb)” to finish") { try await scenarioAction(player) }
    } catch {
      guard let refused = Refused(error) else { throw error }
      (player.refusal, unexpected) = (refused, line.number)
    }
    player.keep()
    try await atLine(line.number, awaiting: "the requests started by “\(verb)” to finish") { try await player.settle() }
  }

  private mutating func look(_ expectation: Scenario.Expectation, at line: Int) async throws {
    let (probe, expected) = (expectation.probe, expectation.expected)
    if probe.name == Probe.refused || probe.name == "says" { unexpected = nil }
    var found = try await find(probe, at: line)
    if probe.comesLater {
      let deadline = ContinuousClock.now.advanced(by: .seconds(10))
      while ContinuousClock.now < deadline,
        !Difference.all(probe.name, expected: expected, found: found).isEmpty
      {
        try await Task.sleep(for: .milliseconds(2))
        found = try await find(probe, at: line)
      }
    }
    findings.append(ScenarioReport.Finding(line: line, name: probe.name, expected: expected, found: found))
  }

  /// Returns the found value; if reading is refused, an object with the reason.
  private func find(_ probe: Probe, at line: Int) async throws -> JSON {
    let player = player
    do {
      return try await atLine(line, awaiting: "“\(probe.name)”") { try await probe.find(player) }
    } catch {
      guard let refused = Refused(error) else { throw error }
      return .members(["refused": .string(refused.name), "says": .string(refused.sentence)])
    }
  }

  mutating func complainOfRefusal() {
    defer { unexpected = nil }
    guard let line = unexpected, let refused = player.refusal else { return }
    defects.append(
      ScenarioReport.Mismatch(
        line: line, what: Probe.refused, expected: "null", found: JSON.string(refused.name).written,
        reason: refused.sentence))
  }
}

// MARK: Trace

extension Player {
  /// Returns the state of the target's composer as a line of JSON.
  fileprivate func trace(line: Int) async throws -> String {
    var members = [JSON.Member(key: "line", value: .count(line))]
    members.append(JSON.Member(key: "composer", value: .string(composerKey.text)))
    guard openComposer != nil else {
      return JSON.object(members + [JSON.Member(key: "open", value: .bool(false))]).written
    }
    for probe in Probe.written + Probe.shown where probe.name != "composerDrawn" && probe.name != "kept" {
      members.append(JSON.Member(key: probe.name, value: try await probe.find(self)))
    }
    return JSON.object(members).written
  }
}
