// Every slot of a page is drawn, and can be replaced alone.
import ChatMessageList
import ChatRendering
import Foundation
import Testing

struct `A slot of a page` {
  /// Whether what was drawn is what it was before, but for what stands in the place of a slot.
  private func isTheSame(_ before: String, but after: String) -> Bool {
    // Where there is nothing to say of a message, the line for it is left out too.
    let line = HTML.element("p", ["class": "about"], replacement).markup
    let after = after.replacingOccurrences(of: line, with: replacement.markup)
    let pieces = after.components(separatedBy: replacement.markup)
    guard before.hasPrefix(pieces[0]), before.hasSuffix(pieces[pieces.count - 1]) else { return false }
    var rest = Substring(before)
    for piece in pieces {
      guard let found = piece.isEmpty ? rest.startIndex..<rest.startIndex : rest.range(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }

  @Test(arguments: replacing.indices)
  func `is replaced by a struct that replaces it, and nothing else is`(slot: Int) {
    let usual = PageFactory(actionURL: "/act").drawEverything()
    let own = replacing[slot].init().drawEverything()
    var count = 0
    for (before, after) in zip(usual, own) {
      count += after.markup.components(separatedBy: replacement.markup).count - 1
      #expect(isTheSame(before.markup, but: after.markup), "\(replacing[slot])")
      #expect(Set(after.actions).isSubset(of: before.actions))
    }
    #expect(count > 0, "\(replacing[slot]) is drawn nowhere")
  }

  @Test func `is there for every method of a factory`() { #expect(replacing.count == 59) }

  @Test func `is drawn by what an app gave to the list, before its factory is asked`() {
    let view = MessagesView(everyMessage(), drawing: HTML.self)
      .messageHeader { _ in HTML(text: "header") }
      .messageFooter { _ in HTML(text: "footer") }
      .messageAvatar { _ in HTML(text: "avatar") }
      .messageContextMenu { _ in HTML(text: "menu") }
      .messageImagePlaceholder { _ in HTML(text: "placeholder") }
      .customRenderer(forTypeWithID: "pollHello <b>& all</b>") { _, info in
        HTML(text: "poll \(info.suggestedWidth), corners of \(Int(info.cornerRadius))")
      }
      .messageCornerRadius(12)
      .messageTimestampFormatter { _ in "noon" }
    let read = expectStrict(PageFactory().draw(MessageList(view)).markup)
    for word in ["header", "footer", "avatar", "menu", "placeholder", "poll 0.75, corners of 12", "noon"] {
      #expect(read.text.contains(word), "\(word)")
    }
  }
}
