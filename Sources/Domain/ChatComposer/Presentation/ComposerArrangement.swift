// Arranging a composer's items: remove, move, add, change.
public import Chat

/// An ordered list of items in the presentation of a composer.
///
/// Items come and go with the content: arranging an item that is not shown is a no-op, and so is adding one to the
/// sources while they are not shown.
public enum ComposerArea: Hashable, Sendable, CaseIterable {
  /// The items before the input.
  case leading
  /// The items in the input.
  case input
  /// The items after the input.
  case trailing
  /// The attachment sources.
  case sources
}

extension ComposerPresentation {
  /// The items of an area, in order.
  public subscript(_ area: ComposerArea) -> [ComposerItem] {
    get {
      switch area {
      case .leading: leading
      case .input: input
      case .trailing: trailing
      case .sources: pickerSources
      }
    }
    set {
      switch area {
      case .leading: leading = newValue
      case .input: input = newValue
      case .trailing: trailing = newValue
      case .sources: pickerSources = newValue
      }
    }
  }

  /// Removes an item and returns it; nil if it is not shown.
  @discardableResult
  public mutating func remove(_ id: ComposerItem.ID) -> ComposerItem? {
    for area in ComposerArea.allCases {
      if let index = self[area].firstIndex(where: { $0.id == id }) { return self[area].remove(at: index) }
    }
    return nil
  }

  /// Moves an item to an area, before another item; to the end if that is nil or not shown.
  public mutating func move(_ id: ComposerItem.ID, to area: ComposerArea, before other: ComposerItem.ID? = nil) {
    if shows(area), let item = remove(id) { add(item, to: area, before: other) }
  }

  /// Adds an item to an area, before another item; at the end if that is nil or not shown. It replaces an item with its
  /// id.
  public mutating func add(_ item: ComposerItem, to area: ComposerArea, before other: ComposerItem.ID? = nil) {
    guard shows(area) else { return }
    remove(item.id)
    self[area].insert(item, at: self[area].firstIndex { $0.id == other } ?? self[area].endIndex)
  }

  private func shows(_ area: ComposerArea) -> Bool {
    area != .sources || picker == .expanded(.none) || picker == .expanded(.media)
  }

  /// Changes an item: its icon, its label, its action; a no-op if it is not shown.
  public mutating func change(_ id: ComposerItem.ID, _ change: (inout ComposerItem) -> Void) {
    for area in ComposerArea.allCases {
      if let index = self[area].firstIndex(where: { $0.id == id }) { return change(&self[area][index]) }
    }
  }
}

extension ComposerAppearance {
  /// Removes an item wherever it is shown.
  public mutating func remove(_ id: ComposerItem.ID) { arrange { shown, _ in shown.remove(id) } }

  /// Moves an item to an area, before another item; to the end if that is nil or not shown.
  public mutating func move(_ id: ComposerItem.ID, to area: ComposerArea, before other: ComposerItem.ID? = nil) {
    arrange { shown, _ in shown.move(id, to: area, before: other) }
  }

  /// Adds an item to an area, before another item; at the end if that is nil or not shown. It replaces an item with its
  /// id. A tap calls `onTap`.
  public mutating func add(
    _ item: ComposerItem, to area: ComposerArea, before other: ComposerItem.ID? = nil, onTap: ComposerTapHandler? = nil
  ) {
    arrange { shown, _ in shown.add(item, to: area, before: other) }
    if let onTap { self.onTap(item.id, onTap) }
  }

  /// Changes an item wherever it is shown: its icon, its label, its action.
  public mutating func change(_ id: ComposerItem.ID, _ change: @escaping @Sendable (inout ComposerItem) -> Void) {
    arrange { shown, _ in shown.change(id, change) }
  }

  /// Adds a step that arranges the presentation of a composer; steps run in order at each presentation.
  public mutating func arrange(_ step: @escaping @Sendable (inout ComposerPresentation, Composer) -> Void) {
    steps.append(step)
  }

  /// Sets the app's code for a tap on an item, in place of the item's own effect.
  ///
  /// The tap is recorded as a custom action before: that of the item, or one with the item's id.
  public mutating func onTap(_ id: ComposerItem.ID, _ handler: @escaping ComposerTapHandler) {
    tapHandlers[id] = handler
  }

  /// Arranges a presentation.
  func arrange(_ shown: inout ComposerPresentation, _ composer: Composer) {
    for step in steps { step(&shown, composer) }
    for id in tapHandlers.keys { shown.change(id) { $0.action = .perform($0.customAction) } }
  }
}

/// The code of an app for a tap on an item of a composer.
public typealias ComposerTapHandler = @MainActor @Sendable (LiveComposer) async throws -> Void

extension ComposerItem {
  /// The custom action that a tap handled by the app records.
  fileprivate var customAction: Composer.Action {
    if case .perform(let action) = action, case .custom = action { return action }
    guard let name = Composer.ActionName(rawValue: id.string) else {
      return .custom("tap", payload: Array(id.string.utf8))
    }
    return .custom(name)
  }
}
