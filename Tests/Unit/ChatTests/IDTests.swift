// Tests of ids and user texts: valid names, and comparison by bytes.
import Chat
import Testing

struct IDs {
  @Test(arguments: ["a", "A", "!", "~", "user:1", "\\", String(repeating: "x", count: 64)])
  func `1 to 64 visible ASCII characters are an id`(text: String) throws {
    let id = try User.ID(text)
    #expect(id.text == text && id.description == text)
    #expect(User.ID(spelledBy: text.utf8Span.span.bytes) == id)
  }

  @Test(arguments: ["", "/", "a/b", " ", "a b", "a\n", "\u{7F}", "é", "😀", "a\u{0}", String(repeating: "x", count: 65)])
  func `any other text is no id, and the error names it`(text: String) {
    let error = #expect(throws: IDError.self) { try User.ID(text) }
    #expect(error?.text == text && error?.description.hasSuffix("visible ASCII characters other than “/”.") == true)
    #expect(User.ID(spelledBy: text.utf8Span.span.bytes) == nil)
  }

  @Test func `every byte but the visible ones and the slash is refused at every place`() {
    for byte in UInt8.min...UInt8.max {
      let isVisible = byte > 0x20 && byte < 0x7F
      for (count, place) in [(1, 0), (7, 3), (8, 0), (8, 7), (9, 8), (20, 10), (20, 17), (64, 63)] {
        var bytes = [UInt8](repeating: place % 2 == 0 ? 0x21 : 0x7E, count: count)
        bytes[place] = byte
        #expect((User.ID(spelledBy: bytes.span.bytes) != nil) == (isVisible && byte != 0x2F), "\(byte) in \(bytes)")
        #expect((ComposedCommand.ID(spelledBy: bytes.span.bytes) != nil) == isVisible, "\(byte) in \(bytes)")
      }
    }
  }

  @Test func `the error of a long text contains a part of it`() {
    let error = #expect(throws: IDError.self) { try User.ID(String(repeating: "é", count: 10_000)) }
    #expect((error?.description.count ?? 1000) < 200)
  }

  @Test func `an invalid id in a literal traps`() async {
    await #expect(processExitsWith: .failure) { _ = User.ID(stringLiteral: "a/b") }
  }

  @Test func `ids are case-sensitive and ordered by their bytes`() {
    #expect(("Ada" as User.ID) != "ada")
    #expect((["b", "a", "B", "a1", "~", "!"] as [User.ID]).sorted().map(\.text) == ["!", "B", "a", "a1", "b", "~"])
  }
}

struct Wordings {
  let one: UserText = "Ren\u{E9}"
  let two: UserText = "Rene\u{301}"

  @Test func `texts that look the same but have other bytes differ`() {
    #expect(one.string == two.string, "Swift finds them equal")
    #expect(one != two && Set([one, two]).count == 2)
    #expect(one == UserText("Ren\u{E9}") && one.hashValue == UserText("Ren\u{E9}").hashValue)
  }

  @Test func `texts are ordered by their bytes`() {
    #expect((["é", "b", "", "B", "bb", "😀"] as [UserText]).sorted() == ["", "B", "b", "bb", "é", "😀"])
    #expect(two < one && !(one < two) && !(one < one))
  }

  @Test func `a text returns its byte count and whether it is empty`() {
    #expect(one.byteCount == 5 && two.byteCount == 6 && ("" as UserText).byteCount == 0)
    #expect(("" as UserText).isEmpty && !(" " as UserText).isEmpty && one.description == one.string)
    #expect(("\(one) and \(two)" as UserText).byteCount == 16)
  }

  @Test func `the hashes of neighbouring texts do not run together`() {
    #expect(Set([["ab", "c"] as [UserText], ["a", "bc"]]).count == 2)
    #expect((["ab", "c"] as [UserText]).hashValue != (["a", "bc"] as [UserText]).hashValue)
  }
}
