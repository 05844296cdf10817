// A text that is in no run yet: its message and its words.
package import Bytes
package import Chat
internal import ChatCodec
internal import TextFolding
internal import Tables

/// The number of bytes kept of a word; longer words are compared in the message itself.
let keptWordByteCount = 40

/// A text that is in no run yet.
package struct UnindexedText: BinaryRow, Hashable {
  package let place: TextSource
  /// The length-prefixed words, in the order of the text; a word can occur twice.
  private let words: [UInt8]

  /// Creates a row from a text, with the words that are kept of it.
  package init(_ text: UserText, at place: TextSource) {
    self.place = place
    var words: [UInt8] = []
    words.reserveCapacity(text.byteCount + text.byteCount / 4 + 8)
    TextFolding.forEachWord(of: text.string) { word in
      let count = min(word.count, keptWordByteCount)
      words.append(UInt8(count))
      words.append(contentsOf: UnsafeRawBufferPointer(rebasing: word[..<count]))
    }
    self.words = words
  }

  package init?(decoding bytes: RawSpan) {
    var reader = ByteReader(bytes)
    guard let key = reader.lengthDelimited(), let author = reader.lengthDelimited(), let edit = reader.varint(),
      edit <= 1, let message = Message.Key(spelledBy: bytes.extracting(key))
    else { return nil }
    let user = User.ID(spelledBy: bytes.extracting(author))
    if user == nil, !author.isEmpty { return nil }
    place = TextSource(key: message, author: user, isEdit: edit == 1)
    let start = reader.offset
    while !reader.isAtEnd {
      guard let word = reader.lengthDelimited(), 1...keptWordByteCount ~= word.count else { return nil }
    }
    words = bytes.extracting(start..<bytes.byteCount).withUnsafeBytes { Array($0) }
  }

  package func encode(into writer: inout ByteWriter) {
    place.key.withKeyBytes { key in
      writer.varint(UInt64(key.count))
      writer.bytes(key)
    }
    writer.name(place.author?.text ?? "")
    writer.varint(place.isEdit ? 1 : 0)
    words.withUnsafeBytes { writer.bytes($0) }
  }

  /// Calls the closure with each word until it returns false.
  func forEachWord(_ body: (UnsafeRawBufferPointer) -> Bool) {
    words.withUnsafeBytes { words in
      var offset = 0
      while offset < words.count {
        let end = offset + 1 + Int(words[offset])
        if !body(UnsafeRawBufferPointer(rebasing: words[offset + 1..<end])) { return }
        offset = end
      }
    }
  }

  /// Returns whether for each prefix there is a word that begins with it.
  func hasWords(startingWith beginnings: [[UInt8]]) -> Bool {
    beginnings.allSatisfy { beginning in
      var isFound = false
      forEachWord { word in
        isFound = word.starts(with: beginning)
        return !isFound
      }
      return isFound
    }
  }
}

extension ByteWriter {
  /// Writes a length-prefixed name.
  mutating func name(_ name: String) {
    var name = name
    name.withUTF8 { bytes in
      varint(UInt64(bytes.count))
      self.bytes(UnsafeRawBufferPointer(bytes))
    }
  }
}
