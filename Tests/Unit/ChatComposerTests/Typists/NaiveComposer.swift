// A simple reference composer: an array of UTF-16 units, with a full copy for each undo step.

/// A reference composer, written independently from the specification: it calls no code of the composer under test.
struct NaiveComposer {
  /// The content at one point in time.
  struct Page: Equatable {
    var units: [UInt16] = []
    var low = 0
    var high = 0
    var mentions: [Meant] = []
    var command: String?
    var target: String?
  }

  /// A mention of a user in the text.
  struct Meant: Equatable {
    var user: String
    var low: Int
    var high: Int
  }

  /// The run that can extend the last undo step.
  enum Run: Equatable { case none, typing(end: Int, endsWord: Bool), deleting(at: Int) }

  static let commands = ["giphy", "mute", "unmute", "ban", "unban", "flag"]

  private(set) var page = Page()
  private var done: [Page] = []
  private var undone: [Page] = []
  private var run = Run.none

  var canUndo: Bool { !done.isEmpty }
  var canRedo: Bool { !undone.isEmpty }

  /// Drops the undo history, as at the end of a process.
  mutating func forget() { (done, undone, run) = ([], [], .none) }
}

// MARK: Characters

extension NaiveComposer {
  /// Returns the offsets of all grapheme cluster boundaries, including the end.
  static func places(in units: [UInt16]) -> [Int] {
    var places = [0]
    for character in String(decoding: units, as: UTF16.self) { places.append(places.last! + character.utf16.count) }
    return places
  }

  /// Returns the last boundary at or before an offset.
  func place(_ wanted: Int) -> Int { Self.places(in: page.units).last { $0 <= wanted } ?? 0 }

  static func isWhite(_ unit: UInt16) -> Bool { Unicode.Scalar(unit)?.properties.isWhitespace ?? false }

  /// Returns the units as in a text view, with U+FFFD for each unpaired surrogate.
  static func repaired(_ units: [UInt16]) -> [UInt16] {
    var (repaired, index) = ([UInt16](), 0)
    while index < units.count {
      let unit = units[index]
      let hasTrail = index + 1 < units.count && UTF16.isTrailSurrogate(units[index + 1])
      if UTF16.isLeadSurrogate(unit), hasTrail {
        repaired += [unit, units[index + 1]]
        index += 2
      } else {
        repaired.append(UTF16.isSurrogate(unit) ? 0xFFFD : unit)
        index += 1
      }
    }
    return repaired
  }
}

// MARK: Typing

extension NaiveComposer {
  mutating func type(_ new: [UInt16]) { change(page.low, page.high, to: new, isTyped: true) }

  mutating func paste(_ new: [UInt16]) { change(page.low, page.high, to: new, isTyped: false) }

  mutating func replace(_ low: Int, _ high: Int, with new: [UInt16]) {
    change(place(low), low == high ? place(low) : place(high), to: new, isTyped: false)
  }

  mutating func select(_ low: Int, _ high: Int) {
    let (low, high) = low == high ? (place(low), place(low)) : (place(low), place(high))
    if (low, high) == (page.low, page.high) { return }
    (page.low, page.high, run) = (low, high, .none)
  }

  /// Keeps the longest common prefix, then the longest common suffix, cut at grapheme clusters of both texts.
  mutating func set(_ new: [UInt16]) {
    let old = page.units
    if old == new { return }
    let (a, b) = (Self.places(in: old), Self.places(in: new))
    let start = a.last { place in b.contains(place) && old[..<place] == new[..<place] } ?? 0
    let tail =
      a.lazy.map { old.count - $0 }.first { tail in
        let other = new.count - tail
        return other >= start && old.count - tail >= start && b.contains(other) && old.suffix(tail) == new.suffix(tail)
      } ?? 0
    splice(start, old.count - tail, to: Array(new[start..<(new.count - tail)]), isTyped: true)
  }

  mutating func backspace() {
    if page.low < page.high { return splice(page.low, page.high, to: [], isTyped: true) }
    if page.low > 0 { return splice(place(page.low - 1), page.low, to: [], isTyped: true) }
    guard let command = page.command else { return }
    push()
    if page.target != nil {
      page.target = nil
      return
    }
    let word = Array("/\(command)".utf16)
    let needsSpace = page.units.first.map { !Self.isWhite($0) } ?? false
    put(0, 0, word + (needsSpace ? [0x20] : []))
    page.command = nil
    caret(word.count)
  }

  private mutating func change(_ low: Int, _ high: Int, to new: [UInt16], isTyped: Bool) {
    if Array(page.units[low..<high]) == new { return select(high, high) }
    splice(low, high, to: new, isTyped: isTyped)
  }

  private mutating func splice(_ low: Int, _ high: Int, to new: [UInt16], isTyped: Bool) {
    let before = (page, run)
    put(low, high, new)
    if page.command == nil, let (command, end) = calledCommand, low < end {
      push(before.0)
      put(0, end, [])
      page.command = command
      return caret(max(0, low + new.count - end))
    }
    let isPlain =
      isTyped && before.0.low == before.0.high && before.0.mentions.count == page.mentions.count
    switch before.1 {
    case .typing(low, let endsWord) where isPlain && low == high && !(endsWord && !Self.isWhite(new[0])): undone = []
    case .deleting(high) where isPlain && new.isEmpty: undone = []
    default: push(before.0)
    }
    if isPlain, low == high { run = .typing(end: low + new.count, endsWord: Self.isWhite(new.last!)) }
    if isPlain, new.isEmpty { run = .deleting(at: low) }
    caret(low + new.count)
  }

  /// Replaces units; mentions that overlap the range end.
  private mutating func put(_ low: Int, _ high: Int, _ new: [UInt16]) {
    page.units.replaceSubrange(low..<high, with: new)
    let grown = new.count - (high - low)
    page.mentions = page.mentions.compactMap { meant in
      if meant.high <= low { return meant }
      if meant.low < high || meant.low < low { return nil }
      return Meant(user: meant.user, low: meant.low + grown, high: meant.high + grown)
    }
  }

  private mutating func caret(_ wanted: Int) {
    let place = place(wanted)
    (page.low, page.high) = (place, place)
  }
}

// MARK: Undoing

extension NaiveComposer {
  mutating func undo() {
    guard let other = done.popLast() else { return }
    undone.append(page)
    (page, run) = (other, .none)
  }

  mutating func redo() {
    guard let other = undone.popLast() else { return }
    done.append(page)
    (page, run) = (other, .none)
  }

  private mutating func push(_ before: Page? = nil) {
    done.append(before ?? page)
    if done.count > 1000 { done.removeFirst() }
    (undone, run) = ([], .none)
  }
}

// MARK: Picking

extension NaiveComposer {
  /// The query for which suggestions are made.
  enum Query: Equatable {
    case command(Int, Int)
    case target(Int, Int)
    case mention(Int, Int)
  }

  /// The first word after a slash, with its end.
  private var firstWord: (word: String, end: Int)? {
    guard page.units.first == 0x2F else { return nil }
    let end = page.units.firstIndex(where: Self.isWhite) ?? page.units.count
    return (String(decoding: page.units[1..<end], as: UTF16.self).lowercased(), end)
  }

  /// Returns the offset after one white space; CR LF counts as one.
  private func behindWhite(_ place: Int) -> Int {
    guard place < page.units.count, Self.isWhite(page.units[place]) else { return place }
    return page.units[place...].starts(with: [0x0D, 0x0A]) ? place + 2 : place + 1
  }

  private var calledCommand: (String, Int)? {
    guard let (word, end) = firstWord, end < page.units.count, Self.commands.contains(word) else { return nil }
    return (word, behindWhite(end))
  }

  var query: Query? {
    guard page.low == page.high else { return nil }
    let caret = page.low
    let isEnded = { (range: Range<Int>) in self.page.units[range].contains(where: Self.endsLine) }
    let isMeant = { (place: Int) in self.page.mentions.contains { $0.low <= place && place < $0.high } }
    if let command = page.command, command != "giphy", page.target == nil, !isEnded(0..<caret),
      caret == 0 || !isMeant(0)
    {
      return .target(0, caret)
    }
    if page.command == nil, let (_, end) = firstWord, 1 <= caret, caret <= end {
      return isMeant(0) ? nil : .command(0, end)
    }
    let starts = (0..<caret).filter { place in
      page.units[place] == 0x40 && caret - place <= 512 && (place == 0 || Self.opens(page.units[place - 1]))
    }
    guard let start = starts.last, !isEnded(start..<caret), !isMeant(start) else { return nil }
    return .mention(start, caret)
  }

  private static func endsLine(_ unit: UInt16) -> Bool {
    Unicode.Scalar(unit).map { Character($0).isNewline } ?? false
  }

  private static func opens(_ unit: UInt16) -> Bool {
    guard let scalar = Unicode.Scalar(unit) else { return false }
    return isWhite(unit) || [.openPunctuation, .initialPunctuation].contains(scalar.properties.generalCategory)
  }

  /// Picks a user for the current query.
  mutating func pick(_ user: String, named name: String) {
    switch query {
    case .mention(let low, let high):
      push()
      let needsSpace = behindWhite(high) == high
      let text = Array("@\(name)".utf16)
      put(low, high, text + (needsSpace ? [0x20] : []))
      let place = page.mentions.firstIndex { $0.low > low } ?? page.mentions.count
      page.mentions.insert(Meant(user: user, low: low, high: low + text.count), at: place)
      caret(low + text.count + (needsSpace ? 1 : 0))
    case .target(_, let high):
      push()
      put(0, behindWhite(high), [])
      page.target = user
      caret(0)
    default: return
    }
  }

  /// Picks a command for the current query.
  mutating func pick(command: String) {
    guard case .command(_, let end)? = query else { return }
    push()
    put(0, behindWhite(end), [])
    (page.command, page.target) = (command, nil)
    caret(0)
  }

  /// Activates a command by a button and removes the typed part of its word.
  mutating func activate(_ command: String) {
    if page.command == command { return }
    push()
    if let (word, end) = firstWord, command.hasPrefix(word) {
      let (low, high, end) = (page.low, page.high, behindWhite(end))
      put(0, end, [])
      (page.low, page.high) = (place(max(0, low - end)), place(max(0, high - end)))
    }
    (page.command, page.target) = (command, nil)
  }

  mutating func target(_ user: String?) {
    if page.command == nil || page.target == user { return }
    push()
    page.target = user
  }

  mutating func clearCommand() {
    if page.command == nil { return }
    push()
    (page.command, page.target) = (nil, nil)
  }
}
