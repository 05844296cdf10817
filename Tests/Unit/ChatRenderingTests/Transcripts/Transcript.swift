// Conversations that are drawn in every form, and frozen so in `Fixtures/transcripts`.
import ChatMessageList
import ChatRendering
import TerminalRendering
import Foundation
import Testing

/// Something to draw that is frozen as text and as a page.
protocol Transcript: Sendable, CustomTestStringConvertible {
  /// What its fixtures are called.
  var name: String { get }
  /// What its page is called.
  var title: String { get }
  /// Whether its page is one to be read, on which nothing can be done.
  var isForReading: Bool { get }
  /// Whether it is frozen in colors too.
  var hasColors: Bool { get }
  /// The rows that it shows.
  var rows: [MessageRow] { get }
  /// Draws it, in whatever form.
  func draw<Factory: ViewFactory>(with factory: Factory) -> Factory.Output
}

extension Transcript {
  var isForReading: Bool { false }
  var hasColors: Bool { false }
  var rows: [MessageRow] { [] }
  var testDescription: String { name }
}

/// Every transcript.
let transcripts: [any Transcript] = talks + [ShopTalk(), ComposerTalk(), OpenLists()]

// MARK: Files

/// A file in `Fixtures/transcripts`, with what it has to hold.
struct Frozen {
  let name: String
  let text: String

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../Fixtures/transcripts")

  /// What lies there.
  static var names: Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? [])
  }

  /// What the file holds; nil where there is none.
  var held: String? {
    (try? Data(contentsOf: Self.folder.appending(path: name))).map { String(decoding: $0, as: UTF8.self) }
  }

  func write() throws {
    try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: Self.folder.appending(path: name))
  }
}

extension Transcript {
  /// All forms in which it is frozen.
  var forms: [Frozen] {
    let text = draw(with: PlainTextFactory(columns: 60, context: .people))
    let plain = Frozen(name: name + ".txt", text: text.text(hasColors: false) + "\n")
    let colored = Frozen(name: name + ".ansi.txt", text: text.text(hasColors: true) + "\n")
    return [plain, Frozen(name: name + ".html", text: page)] + (hasColors ? [colored] : [])
  }

  /// Its page.
  var page: String {
    let factory = PageFactory(.people, actionURL: isForReading ? nil : "/act")
    return factory.page(title: title, draw(with: factory))
  }
}
