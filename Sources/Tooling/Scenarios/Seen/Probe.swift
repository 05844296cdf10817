// The table of probes: the values that a scenario can expect.
internal import Chat
internal import ChatComposer
internal import JSONLines

/// A value that a scenario can expect.
struct Probe: Sendable {
  /// The key of the probe.
  let name: String
  /// A description of the found value.
  let help: String
  /// Whether the value may arrive later, and is polled until it matches.
  let comesLater: Bool
  /// Returns the current value.
  let find: @MainActor @Sendable (Player) async throws -> JSON

  init(
    _ name: String, _ help: String, comesLater: Bool = false,
    find: @escaping @MainActor @Sendable (Player) async throws -> JSON
  ) {
    (self.name, self.help, self.comesLater, self.find) = (name, help, comesLater, find)
  }

  /// A group of related probes.
  struct Group: Sendable {
    let title: String
    let probes: [Probe]
  }

  /// All probes.
  static let groups = [
    Group(title: "Outcome of the line before", probes: outcomes),
    Group(title: "Content of the composer", probes: written),
    Group(title: "Presentation of the composer", probes: shown),
    Group(title: "Conversation", probes: conversation),
    Group(title: "People", probes: people),
    Group(title: "Lists", probes: lists),
    Group(title: "Drafts", probes: drafts),
  ]

  static let all = groups.flatMap(\.probes)

  /// The probe of the last action's refusal: its name, or null.
  static let refused = "refused"
}

extension Probe {
  static let outcomes: [Probe] = [
    Probe(refused, "the name of the refusal; null if the line was not refused") { player in
      .text(player.refusal?.name)
    },
    Probe("says", "the refusal as a sentence") { player in .text(player.refusal?.sentence) },
    Probe("came", "the result of a send or an item action: `message`, `edit`, `command mute`, `copy Hello`…") {
      .text($0.outcome)
    },
    Probe("events", "the recorded events, by stored type") { player in
      .texts(try await player.recorded().map(\.type))
    },
    Probe("appends", "the recorded events by stored type, in one array per append") { player in
      var appends: [(id: String, types: [JSON])] = []
      for event in try await player.recorded() {
        if appends.last?.id != event.append { appends.append((event.append, [])) }
        appends[appends.count - 1].types.append(.string(event.type))
      }
      return .array(appends.map { .array($0.types) })
    },
  ]
}
