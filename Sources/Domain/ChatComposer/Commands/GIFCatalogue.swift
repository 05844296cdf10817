// A small built-in catalogue of animated pictures.
public import Chat
internal import TextFolding

/// A small catalogue of animated pictures, for tests, demos and offline use.
///
/// The picture depends only on the query and the number. Its URL, such as `gif:cat`, keeps events small and leads to no
/// server: ``picture(at:)`` returns the image. An app that wants more pictures uses another ``GIFProvider``.
public struct GIFCatalogue: GIFProvider {
  /// The names of the pictures.
  public static let names = pictures.map(\.name)

  /// Creates the catalogue.
  public init() {}

  /// Returns the picture at a URL of the catalogue; nil for any other URL.
  public static func picture(at url: UserText) -> Picture? { pictures.first { $0.url == url } }

  /// Returns the picture whose name is in the query, else one with a synonym there, else one chosen by hash; higher
  /// numbers give the following ones.
  ///
  /// Names and synonyms are compared word by word, without case and marks on letters.
  public func picture(for words: UserText, number: Int) async throws -> GIF {
    let (pictures, query) = (Self.pictures, folded(words.string))
    let found =
      pictures.firstIndex { query.contains(folded($0.name)) }
      ?? pictures.firstIndex { $0.synonyms.contains { query.contains(folded($0)) } }
    // FNV-1a, which is the same in every process.
    let hash = words.string.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let first = found ?? Int(hash % UInt64(pictures.count))
    let picture = pictures[(first + max(0, number % pictures.count)) % pictures.count]
    return GIF(url: picture.url, title: UserText(picture.name), size: Picture.size)
  }
}

/// Returns the folded words of a text, each between spaces, so that a phrase is found only at the boundaries of words.
private func folded(_ text: String) -> String {
  var words = " "
  forEachWord(of: text) { words += String(decoding: $0, as: UTF8.self) + " " }
  return words
}

// MARK: Pictures

extension GIFCatalogue {
  /// A picture of the catalogue: an SVG image that needs no script, no font and no other resource.
  public struct Picture: Hashable, Sendable {
    /// The size of each picture.
    public static let size = Attachment.Size(width: 320, height: 240)

    /// The name of the picture.
    public let name: String
    /// The words and phrases that find the picture besides its name.
    public let synonyms: [String]
    private let background: String
    private let shapes: String

    init(_ name: String, _ synonyms: [String], on background: String, _ shapes: String) {
      (self.name, self.synonyms, self.background, self.shapes) = (name, synonyms, background, shapes)
    }

    /// The URL of the picture in the catalogue, such as `gif:cat`.
    public var url: UserText { UserText("gif:" + name) }

    /// The SVG document of the animated image.
    public var svg: String { document(shapes) }

    /// The SVG document of the image without its animation, for users who prefer reduced motion.
    public var still: String { document(shapes.replacing(/<animate[^>]*>/, with: "")) }

    private func document(_ shapes: String) -> String {
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="320" height="240" viewBox="0 0 320 240" \
      stroke="#324" stroke-width="6" stroke-linecap="round" stroke-linejoin="round">\
      <rect width="320" height="240" fill="\(background)" stroke="none"/>
      \(shapes)
      </svg>
      """
    }
  }
}
