// The composer appearance of a scenario: labels and items that are changed, moved, added or removed.
internal import Chat
internal import ChatComposer
internal import JSONLines

/// The labels and the item layout of a scenario's composers.
struct Appearance: Sendable {
  private var titles: [ComposerState: String] = [:]
  private var placeholders: [ComposerState: String] = [:]
  private var linesMax: Int?
  private var changes: [Change] = []

  private enum Change: Sendable {
    case remove(String)
    case move(String, to: ComposerArea)
    case add(String, to: ComposerArea, does: Composer.ActionName)
    case icon(String, of: String)
    case label(String, of: String)
  }

  init() {}

  init(_ reader: inout ObjectReader) throws(InputDefect) {
    for (state, text) in try reader.names("titles") { titles[try ID(valid: state)] = text }
    for (state, text) in try reader.names("placeholders") { placeholders[try ID(valid: state)] = text }
    linesMax = try reader.count("linesMax")
    for var change in try reader.objects("arrange") ?? [] {
      changes.append(try Self.change(&change))
      try change.finish()
    }
    try reader.finish()
  }

  private static func change(_ reader: inout ObjectReader) throws(InputDefect) -> Change {
    let areas = ComposerArea.allCases.map { ("\($0)", $0) }
    if let id = try reader.text("remove") { return .remove(id) }
    if let id = try reader.text("move") {
      return .move(id, to: try reader.required("to", try reader.choice("to", areas)))
    }
    if let id = try reader.text("add") {
      return .add(
        id, to: try reader.required("to", try reader.choice("to", areas)),
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
    for change in changes { Self.make(change, in: &appearance) }
    return appearance
  }

  private static func make(_ change: Change, in appearance: inout ComposerAppearance) {
    switch change {
    case .remove(let id): appearance.remove(UserText(id))
    case .move(let id, let area): appearance.move(UserText(id), to: area)
    case .add(let id, let area, let name):
      appearance.add(ComposerItem(UserText(id), action: .perform(.custom(name))), to: area)
    case .icon(let icon, let id): appearance.change(UserText(id)) { $0.icon = icon }
    case .label(let label, let id): appearance.change(UserText(id)) { $0.label = label }
    }
  }
}
