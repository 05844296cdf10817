// Threat: what somebody means is not what is compared.
import TextFolding
import Testing

struct `A folded text` {
  @Test(arguments: [
    ["Å", "A\u{30A}", "\u{212B}", "å", "a"], ["é", "e\u{301}", "É", "e"], ["ﬁ", "FI", "fi"], ["Ⅷ", "viii"],
    ["ß", "ẞ", "ss", "SS"], ["İ", "I\u{307}", "i", "ı", "I"], ["ａ", "Ａ", "a"], ["Ω", "ω", "\u{2126}"],
    ["Σ", "σ", "ς"], ["ṩ", "s\u{323}\u{307}", "s\u{307}\u{323}", "s"], ["Ǿ", "Ø\u{301}", "ø", "O"],
    ["Łódź", "lodz"], ["Æsop", "aesop"], ["ᾳ", "α\u{345}", "ΑΙ", "αι"], ["ｶﾞ", "ガ", "カ\u{3099}"],
    ["ば", "は\u{3099}"], ["שָׁלוֹם", "שלום"], ["مَرْحَبًا", "مرحبا"], ["क़", "\u{915}\u{93C}"], ["O’Brien", "o'brien"],
    ["so\u{AD}fa", "sofa"], ["a\u{200D}b", "ab"], ["₂²", "22"], ["\u{A0}", " "], ["𝒜𝕓", "ab"], ["ŉ", "'n"],
  ])
  func `is the same in every spelling`(spellings: [String]) {
    #expect(Set(spellings.map { FoldedText($0) }).count == 1, "\(spellings.map { FoldedText($0).text })")
  }

  @Test(arguments: [
    ["は", "ば"], ["a", "b"], ["東", "京"], ["각", "\u{1100}\u{1161}\u{11A8}"], ["a b", "ab"], ["㎏", "kg"],
    ["क", "क\u{93E}"],
  ])
  func `is another where letters are others`(texts: [String]) {
    #expect(Set(texts.map { FoldedText($0) }).count == texts.count)
  }

  @Test func `keeps what is no letter, and is empty for nothing`() {
    #expect(FoldedText("Hello, World! 👍🏽\n").text == "hello, world! 👍🏽\n")
    #expect(FoldedText("").bytes == [])
    #expect(FoldedText("\u{301}").bytes == [])
  }

  @Test func `is found by what it starts with, and by what a word of it starts with`() {
    let name = FoldedText("Dr. Mike Morgan-O’Neil")
    #expect(name.starts(with: FoldedText("DR. m")))
    #expect(!name.starts(with: FoldedText("mike")))
    for typed in ["", "dr", "mike mor", "Mörgan-o'N", "neil", "o", "MIKE MORGAN-O'NEIL"] {
      #expect(name.hasWord(startingWith: FoldedText(typed)), "\(typed)")
    }
    for typed in ["ike", "mike  mor", "mor mike", "-o'n", "neill", "."] {
      #expect(!name.hasWord(startingWith: FoldedText(typed)), "\(typed)")
    }
    #expect(FoldedText("山田太郎").hasWord(startingWith: FoldedText("太郎")))
    #expect(FoldedText("中村カズオ").hasWord(startingWith: FoldedText("カズオ")))
  }

  @Test func `is ordered by its bytes`() {
    #expect(["b", "Á", "ab", "A"].map { FoldedText($0) }.sorted().map(\.text) == ["a", "a", "ab", "b"])
  }
}

extension FoldedText {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
