// The keyboard, and an input method.

extension Window {
  /// Types a text at the focus, character by character, with the events of a keyboard.
  ///
  /// A line end is the Enter key, and a tab the Tab key. A character of several code units, such as an emoji, is
  /// inserted as by a picker, without events of keys.
  package func type(_ text: String) throws {
    for character in text {
      switch character {
      case "\n", "\r\n": try press(.enter)
      case "\t": try press(.tab)
      case _ where character.utf16.count > 1: try insert(String(character))
      default: try press(Key(character))
      }
    }
  }

  /// Presses and releases a key at the focus, while modifiers are held.
  ///
  /// With Control, Alt or Meta it inserts nothing. The modifiers themselves have no events.
  package func press(_ key: Key, _ modifiers: Key.Modifiers = []) throws {
    try press(key, modifiers, commands: [])
  }

  /// Presses a key that also has the effect of some editing commands.
  func press(_ key: Key, _ modifiers: Key.Modifiers, commands: [String]) throws {
    let key = modifiers.contains(.shift) ? key.withShift : key
    let held = key.needsShift ? modifiers.union(.shift) : modifiers
    let parameters: [String: Any] = [
      "key": key.name, "code": key.code, "windowsVirtualKeyCode": key.number, "modifiers": held.rawValue,
    ]
    var down = parameters.merging(["type": "keyDown", "commands": commands]) { $1 }
    if held.isDisjoint(with: [.alt, .control, .meta]) { down["text"] = key.text }
    try page.tell("Input.dispatchKeyEvent", down)
    try page.tell("Input.dispatchKeyEvent", parameters.merging(["type": "keyUp"]) { $1 })
  }

  /// Inserts a text at the focus at once, without events of keys, as an input method does; ends a composition with it.
  package func insert(_ text: String) throws { try page.tell("Input.insertText", ["text": text]) }

  /// Replaces the text that is being composed at the focus by an input method; the empty text cancels it.
  ///
  /// `insert` ends the composition.
  package func compose(_ text: String) throws {
    let end = text.utf16.count
    try page.tell("Input.imeSetComposition", ["text": text, "selectionStart": end, "selectionEnd": end])
  }

  /// Moves the focus to the first element that matches a selector.
  package func focus(_ selector: String) throws {
    let problem: String? = try page.evaluate("(\(focusing))(\(literal(selector)))")
    if let problem { throw Browser.Failure.element(problem) }
  }
}

private let focusing = """
  selector => {
    const element = document.querySelector(selector)
    if (!element) return `the page has no “${selector}”`
    element.focus()
    return element.matches(':focus-within') ? null : `“${selector}” does not take the focus`
  }
  """
