// A form of output that says nothing else has plain words in every slot.
import ChatMessageList
import ChatRendering
import TerminalRendering
import Foundation
import Testing

/// A form of output that leaves every slot as it is.
private struct Bare: ViewFactory {
  typealias Output = TerminalText
  var context = RenderingContext.people
}

struct `A form that replaces nothing` {
  @Test(arguments: transcripts) func `draws every transcript`(transcript: any Transcript) {
    #expect(!transcript.draw(with: Bare()).isEmpty)
  }

  @Test func `draws what is remarked with each message, wherever in its group that is`() {
    let said = (0..<3).map { index in Said("\(index)", at: Double(index)) { $0.annotations = .pinned } }
    let drawn = Bare().drawList(MessageLayout(said)).text(hasColors: false)
    #expect(drawn.components(separatedBy: "Pinned").count == 4)
    #expect(drawn.components(separatedBy: "Ann").count == 2)
  }
}
