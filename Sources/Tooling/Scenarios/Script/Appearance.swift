// The composer appearance of a scenario: labels and items that are changed, moved, added or removed.
internal import Chat
internal import ChatComposer
internal import JSONLines

/// The labels and the item layout of a scenario's composers.
struct Appearance: Sendable {
  private var titles: [ComposerState: UserText] = [:]
  private var placeholders: [ComposerState: UserText] = [:]
  private var linesMax: Int?
  private var changes: [Change] = []

  private enum Change: Sendable {
    case remove(String)
    case move(String, to: Room)
    case add(String, to: Room, does: Composer.ActionName)
    case icon(String, of: String)
    case label(String, of: String)
  }

  fileprivate enum Room: CaseIterable { case leading, input, trailing, sources }

  init() {}

  init(_ reader: inout ObjectReader) throws(InputDefect) {
    for (state, text) in try reader.names("titles") { titles[try ID(valid: state)] = UserText(text) }
    for (state, text) in try reader.names("placeholders") { placeholders[try ID(valid: state)] = UserText(text) }
    linesMax = try reader.count("linesMax")
    for var change in try reader.objects("arrange") ?? [] {
      changes.append(try Self.change(&change))
      try change.finish()
    }
    try reader.finish()
  }

  private static func change(_ reader: inout ObjectReader) throws(InputDefect) -> Change {
    let rooms = Room.allCases.map { ("\($0)", $0) }
    if let id = try reader.text("remove") { return .remove(id) }
    if let id = try reader.text("move") {
      return .move(id, to: try reader.required("to", try reader.choice("to", rooms)))
    }
    if let id = try reader.text("add") {
      return .add(
        id, to: try reader.required("to", try reader.choice("to", rooms)),
        does: try reader.required("does", try reader.id("does")))
    }
    let id = try reader.required("of", try reader.text("of"))
    if let icon = try reader.text("icon") { return .icon(icon, of: id) }
    return .label(try reader.required("label", try reader.text("label")), of: id)
  }

  // MARK: Composer options

  /// The appearance in the form that composers take.
  var composers: ComposerAppearance {
    var appearance = ComposerAppearance()
    appearance.titles.merge(titles) { $1 }
    appearance.placeholders.merge(placeholders) { $1 }
    appearance.linesMax = linesMax ?? appearance.linesMax
    let changes = changes
    if !changes.isEmpty {
      appearance.arrange = { shown, _ in for change in changes { Self.make(change, in: &shown) } }
    }
    return appearance
  }

  private static func make(_ change: Change, in shown: inout ComposerPresentation) {
    switch change {
    case .remove(let id): _ = shown.take(id)
    case .move(let id, let room): if let item = shown.take(id) { shown[keyPath: room.path].append(item) }
    case .add(let id, let room, let name):
      shown[keyPath: room.path].append(ComposerItem(UserText(id), action: .perform(.custom(name))))
    case .icon(let icon, let id): shown.change(id) { $0.icon = UserText(icon) }
    case .label(let label, let id): shown.change(id) { $0.label = UserText(label) }
    }
  }
}

extension Appearance.Room {
  fileprivate var path: WritableKeyPath<ComposerPresentation, [ComposerItem]> {
    switch self {
    case .leading: \.leading
    case .input: \.input
    case .trailing: \.trailing
    case .sources: \.pickerSources
    }
  }
}

extension ComposerPresentation {
  fileprivate mutating func take(_ id: String) -> ComposerItem? {
    for room in Appearance.rooms {
      if let index = self[keyPath: room].firstIndex(where: { $0.id.string == id }) {
        return self[keyPath: room].remove(at: index)
      }
    }
    return nil
  }

  fileprivate mutating func change(_ id: String, _ change: (inout ComposerItem) -> Void) {
    for room in Appearance.rooms {
      for index in self[keyPath: room].indices where self[keyPath: room][index].id.string == id {
        change(&self[keyPath: room][index])
      }
    }
  }
}

extension Appearance {
  fileprivate static var rooms: [WritableKeyPath<ComposerPresentation, [ComposerItem]>] {
    Room.allCases.map(\.path)
  }
}
