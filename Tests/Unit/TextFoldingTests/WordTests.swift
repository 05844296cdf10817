// Threat: a word is not found by its beginning, or something is found that does not have it.
import TextFolding
import SeededRandom
import Testing

struct `The words of a text` {
  @Test(arguments: [
    ("Hello, World!", "hello world"), ("", ""), (" \t\n", ""), ("don't", "don t"), ("a1b2 3", "a1b2 3"),
    ("Grüße aus Köln", "grusse aus koln"), ("e\u{301}te\u{301}", "ete"), ("so\u{AD}fa", "sofa"), ("a\u{200B}b", "a b"),
    ("½", "1 2"), ("हिन्दी भाषा", "हिन्दी भाषा"), ("한국어 사람", "한국어 사람"), ("שָׁלוֹם", "שלום"), ("🎉a👍b", "a b"),
    ("東京都", "東京都 京都 都"), ("东京都庁前x", "东京都庁 京都庁前 都庁前 庁前 前 x"), ("iPhone東3", "iphone 東 3"),
    ("ガム・パン", "ガム ム パン ン"), ("ｶﾞﾑ", "ガム ム"), ("かー", "かー ー"), ("ไทย", "ไทย ทย ย"), ("กำ", "กํา า"),
    ("\u{3099}", "\u{3099}"), ("東\u{FE00}京", "東京 京"),
  ])
  func `are runs of letters, and begin everywhere where nobody puts spaces`(text: String, words: String) {
    var found: [String] = []
    forEachWord(of: text) { found.append(String(decoding: $0, as: UTF8.self)) }
    // Compared scalar by scalar: a mark may be written in two ways.
    #expect(
      found.map { Array($0.unicodeScalars) } == words.split(separator: " ").map { FoldedText(String($0)).scalars })
  }

  @Test func `are those of the folded text`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<2000 {
      let text = (0..<random.below(10)).map { _ in random.pick(["東", " ", "a", "カ", random.text()]) }.joined()
      #expect(words(of: text) == words(of: FoldedText(text).text), "seed \(random.seed)")
    }
  }

  private func words(of text: String) -> [[UInt8]] {
    var words: [[UInt8]] = []
    forEachWord(of: text) { words.append(Array($0)) }
    return words
  }
}

struct `A query` {
  @Test(arguments: [
    ("hel wor", "World: HELLO"), ("kol caf", "Ein Café in Köln"), ("京都", "東京都"), ("東京都庁前", "今の東京都庁前駅"),
    ("東3", "3 東"), ("don't", "I don’t"), ("a", "á"), ("a a a", "a"), ("は", "ば"), ("full stop.", "FULL STOPS"),
  ])
  func `finds texts that have a word for each of its own that starts with it`(query: String, text: String) {
    #expect(WordQuery(query).matches(text))
  }

  @Test(arguments: [
    ("hel wor", "hello"), ("ello", "hello"), ("", "a"), (".", "a."), ("a", ""), ("ば", "は"), ("東京都庁前", "東京都庁の前"),
    ("helloo", "hello"),
  ])
  func `finds no others`(query: String, text: String) {
    #expect(!WordQuery(query).matches(text))
  }

  @Test func `finds in a text without spaces whatever of it up to four letters long`() {
    let text = Array("東京特許許可局長今日")
    for start in text.indices {
      for end in start + 1...min(text.count, start + 4) {
        #expect(WordQuery(String(text[start..<end])).matches(String(text)))
      }
    }
  }

  @Test func `looks for no word with which another starts`() {
    #expect(WordQuery("ab a abc b ab").words.map { String(decoding: $0, as: UTF8.self) } == ["abc", "b"])
    #expect(WordQuery("b a") == WordQuery("A b, a"))
    #expect(WordQuery("東京都庁前駅").words.count == 3)
    #expect(WordQuery("東京").words.count == 1)
    #expect(WordQuery("!").isEmpty && WordQuery("").words == [])
  }

  @Test func `finds what every word of some text begins with`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<2000 {
      let words = (0...random.below(5)).map { _ in
        String((0...random.below(5)).map { _ in random.pick(["a", "B", "é", "ß", "漢", "字", "1"]) }.joined())
      }
      let typed = words.filter { _ in random.below(2) == 0 }.map { $0.prefix(1 + random.below($0.count)) }
      let query = WordQuery(typed.joined(separator: " "))
      #expect(typed.isEmpty || query.matches(words.joined(separator: "-")), "seed \(random.seed)")
    }
  }
}

extension FoldedText {
  fileprivate var scalars: [Unicode.Scalar] { Array(text.unicodeScalars) }
}
