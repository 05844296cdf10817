// Tests of typed text: offsets within surrogate pairs, splices, and ranges after a splice.
import Chat
import Testing

struct `Typed text` {
  let text: TypedText = "a😀b"

  // MARK: Places

  @Test func `an offset is valid within the text and not within a surrogate pair`() {
    #expect((-1...5).filter { text.allows(UTF16Offset(rawValue: $0)) } == [0, 1, 3, 4])
    #expect(TypedText().allows(.start) && !TypedText().allows(1))
    #expect(!text.allows(UTF16Offset(rawValue: .max)) && !text.allows(UTF16Offset(rawValue: .min)))
    #expect(text.allows(1..<3) && text.allows(0..<0) && !text.allows(1..<2) && !text.allows(2..<3))
    #expect(!text.allows(0..<5) && !text.allows(-1..<1))
  }

  @Test func `every offset is valid around replaced unpaired surrogates`() {
    let halves = TypedText(units: [0xD83D, 0x61, 0xDE00, 0xDE00, 0xD83D])
    #expect((0...5).allSatisfy { halves.allows(UTF16Offset(rawValue: $0)) })
    #expect(halves.userText == "\u{FFFD}a\u{FFFD}\u{FFFD}\u{FFFD}")
  }

  @Test func `a text returns its end, its content and clamped ranges`() {
    #expect(
      text.end == 4 && text.userText == "a😀b" && TypedText().end == .start && TypedText().isEmpty && !text.isEmpty)
    #expect(text.clamp(2..<9) == 2..<4 && text.clamp(-3..<9) == 0..<4 && text.clamp(7..<9) == 4..<4)
  }

  @Test func `only white space is blank`() {
    #expect(TypedText().isBlank && ("\u{A0}\t\n\u{3000}" as TypedText).isBlank)
    #expect(!(" a " as TypedText).isBlank && !("\u{200B}" as TypedText).isBlank && !("😀" as TypedText).isBlank)
    #expect(!TypedText(units: [0xD83D]).isBlank)
  }

  // MARK: Changes

  func changed(_ range: UTF16Range, to new: UserText) -> UserText {
    var text = text
    text.apply(Splice(range, to: new))
    return text.userText
  }

  @Test func `a splice inserts, deletes and replaces`() {
    #expect(changed(0..<0, to: "x") == "xa😀b" && changed(4..<4, to: "x") == "a😀bx")
    #expect(changed(1..<3, to: "") == "ab" && changed(1..<3, to: "éé") == "aééb" && changed(0..<4, to: "") == "")
  }

  @Test func `a splice outside the text is clamped to it`() {
    #expect(changed(3..<99, to: "x") == "a😀x" && changed(9..<99, to: "x") == "a😀bx")
    #expect(changed(-9..<1, to: "x") == "x😀b" && changed(-9 ..< -5, to: "x") == "xa😀b")
    let whole = UTF16Offset(rawValue: .min)..<UTF16Offset(rawValue: .max)
    #expect(changed(whole, to: "x") == "x")
  }

  // MARK: Where a range stands after a change

  @Test(
    arguments: [
      (0..<0, "ab", 5..<9), (0..<2, "", 1..<5), (0..<3, "xyz", 3..<7), (2..<3, "😀", 4..<8), (3..<3, "x", 4..<8),
      (3..<3, "", 3..<7),
    ] as [(UTF16Range, UserText, UTF16Range)])
  func `a range moves with a splice before it`(range: UTF16Range, text: UserText, moved: UTF16Range) {
    #expect(Splice(range, to: text).shift(3..<7) == moved)
  }

  @Test(arguments: [7..<7, 7..<9, 8..<8, 9..<20] as [UTF16Range])
  func `a range stays when the splice is after it`(range: UTF16Range) {
    #expect(Splice(range, to: "abc").shift(3..<7) == 3..<7 && Splice(range, to: "").shift(3..<7) == 3..<7)
  }

  @Test(arguments: [4..<4, 6..<6, 3..<4, 6..<7, 3..<7, 2..<4, 6..<8, 0..<9] as [UTF16Range])
  func `a range is removed when a splice alters its inside`(range: UTF16Range) {
    #expect(Splice(range, to: "abc").shift(3..<7) == nil && Splice(range, to: "").shift(3..<7) == nil)
  }

  @Test func `a range that survives a splice covers the same units`() {
    let units = (0..<6).map { UInt16(0x61 + $0) }
    for lower in 0...6 {
      for upper in lower...6 {
        for splice in Self.splices {
          let range = UTF16Offset(rawValue: lower)..<UTF16Offset(rawValue: upper)
          guard lower < upper, let moved = splice.shift(range) else { continue }
          var text = TypedText(units: units)
          text.apply(splice)
          let covered = text.units[moved.lowerBound.rawValue..<moved.upperBound.rawValue]
          #expect(Array(covered) == Array(units[lower..<upper]), "\(splice) moved \(range)")
        }
      }
    }
  }

  static let splices: [Splice] = (0...6).flatMap { lower in
    (lower...6).flatMap { upper in
      ["", "x", "xyz"].map { Splice(UTF16Offset(rawValue: lower)..<UTF16Offset(rawValue: upper), to: $0) }
    }
  }

  @Test func `a range at the largest offset does not trap`() {
    let far = UTF16Offset(rawValue: .max)
    #expect(Splice(0..<0, to: "ab").shift(5..<far) == 7..<far)
    #expect(Splice(0..<0, to: "ab").shift(far..<far) == far..<far)
    #expect(Splice(0..<far, to: "ab").shift(far..<far) == 2..<2)
    let least = UTF16Offset(rawValue: .min)
    #expect(Splice(least..<far, to: "").shift(far..<far) != nil)
  }
}
