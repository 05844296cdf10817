// Threat: the bars of a recording do not show how loud it is.
import Chat
import ChatRendering
import Testing

@Suite struct `The waveform of a recording` {
  private func bars(_ values: [UInt8]) -> String? {
    RenderingContext().facts(about: Attachment("voice", .file, waveform: values)).first
  }

  @Test func `each of at most 32 bars has the loudest value of its part`() {
    #expect(bars([0, 31, 32, 128, 255]) == "▁▁▂▅█")
    #expect(bars((0..<64).map { $0 % 2 == 0 ? 0 : 255 }) == String(repeating: "█", count: 32))
    #expect(bars(Array(repeating: 0, count: 100) + [255])?.last == "█")
    #expect(bars([]) == nil)
  }
}
