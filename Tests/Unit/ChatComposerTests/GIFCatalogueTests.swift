// Tests of the catalogue of animated pictures: its images, and the queries that find them.
import Chat
import ChatComposer
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

struct `The catalogue of animated pictures` {
  @Test func `has a picture for each name, in order, at a URL of its own`() {
    let pictures = GIFCatalogue.pictures
    #expect(pictures.count == 20)
    #expect(pictures.map(\.name) == GIFCatalogue.names)
    #expect(GIFCatalogue.names == Set(GIFCatalogue.names).sorted())
    #expect(Set(pictures.map(\.svg)).count == 20)
    for picture in pictures {
      #expect(picture.url.string == "gif:" + picture.name)
      #expect(GIFCatalogue.picture(at: picture.url) == picture)
    }
  }

  @Test(arguments: ["gif:", "gif:none", "gif:CAT", "gif:cat ", "cat", "", "https://example.org/gif:cat"])
  func `has no picture at any other URL`(url: String) {
    #expect(GIFCatalogue.picture(at: UserText(url)) == nil)
  }

  @Test(arguments: GIFCatalogue.pictures)
  func `has small, well-formed and animated images of shapes alone`(picture: GIFCatalogue.Picture) {
    let image = SVGReader(picture.svg)
    #expect((400...1500).contains(picture.svg.utf8.count), "\(picture.name) has \(picture.svg.utf8.count) bytes")
    #expect(image.problems == [], "\(picture.name)")
    #expect(image.elements.contains { $0.hasPrefix("animate") }, "\(picture.name) is not animated")
  }

  @Test(arguments: GIFCatalogue.pictures)
  func `has the same shapes without their animation`(picture: GIFCatalogue.Picture) {
    let (moving, still) = (SVGReader(picture.svg), SVGReader(picture.still))
    #expect(still.problems == [], "\(picture.name)")
    #expect(still.elements == moving.elements.filter { !$0.hasPrefix("animate") }, "\(picture.name)")
  }

  // MARK: Search

  private func found(_ words: String, number: Int = 0) async throws -> String {
    try await GIFCatalogue().picture(for: UserText(words), number: number).title.string
  }

  @Test(arguments: [
    ("yay", "celebration"), ("Kitty!", "cat"), ("un CAFÉ, please", "coffee"), ("ｌｏｌ", "laughter"),
    ("High five", "high-five"), ("high-five", "high-five"), ("I don’t know…", "shrug"), ("Good night", "sleep"),
    ("sad dog", "dog"), ("party cat", "cat"),
  ])
  func `finds names and synonyms word by word, and names first`(words: String, name: String) async throws {
    #expect(try await found(words) == name)
  }

  @Test(arguments: GIFCatalogue.pictures)
  func `finds a picture by its name and each of its synonyms`(picture: GIFCatalogue.Picture) async throws {
    for words in [picture.name] + picture.synonyms {
      #expect(try await found(words) == picture.name, "“\(words)”")
    }
  }

  @Test(arguments: [("concatenate", "dog"), ("zebra", "facepalm"), ("", "sunrise"), ("東京", "wave")])
  func `chooses the same picture in every process if no word is known`(words: String, name: String) async throws {
    #expect(try await found(words) == name)
  }

  @Test func `gives the following pictures for higher numbers, and begins again after the last`() async throws {
    #expect(try await found("thumbs up", number: 1) == "wave")
    #expect(try await found("thumbs up", number: 2) == "applause")
    #expect(try await found("thumbs up", number: 20) == "thumbs-up")
    #expect(try await found("thumbs up", number: .min) == "thumbs-up")
  }

  @Test func `gives the URL and the size of the picture`() async throws {
    let gif = try await GIFCatalogue().picture(for: "kitty", number: 0)
    #expect(gif == GIF(url: "gif:cat", title: "cat", size: Attachment.Size(width: 320, height: 240)))
  }
}

// MARK: Reading SVG

/// The elements of an SVG document, and everything in it that a picture of the catalogue does not need.
private final class SVGReader: NSObject, XMLParserDelegate {
  private(set) var elements: [String] = []
  private(set) var problems: [String] = []

  init(_ document: String) {
    super.init()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = self
    _ = parser.parse()
    // On Linux, `parse()` succeeds also for a document with mismatched tags.
    if let error = parser.parserError { problems.append("not well-formed: \(error)") }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    let shapes: Set = ["svg", "g", "path", "circle", "ellipse", "rect", "animate", "animateTransform"]
    if !shapes.contains(name) { problems.append("<\(name)>") }
    for (key, value) in attributes where key != "xmlns" {
      let isReference = key.contains("href") || value.contains(":") || value.contains("url(")
      if isReference || key == "style" || key.hasPrefix("on") { problems.append("\(key)=\"\(value)\"") }
    }
    elements.append(name)
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if text.contains(where: { !$0.isWhitespace }) { problems.append(text) }
  }
}

struct `An unsuitable image` {
  @Test(arguments: [
    "<svg><g></svg>", "<svg><script/></svg>", "<svg><text>a</text></svg>", "<svg><path style=\"a\"/></svg>",
    "<svg><g onload=\"a\"/></svg>", "<svg><path fill=\"url(#a)\"/></svg>", "<svg><a href=\"b\"/></svg>",
    "<svg><g xlink:href=\"#a\"/></svg>", "<svg>a</svg>",
  ])
  func `is reported`(document: String) { #expect(!SVGReader(document).problems.isEmpty) }
}
