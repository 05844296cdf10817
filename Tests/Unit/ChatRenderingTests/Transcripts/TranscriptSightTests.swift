// Every frozen page as a browser shows it: light and dark, on a wide screen and on a telephone.
import Browser
import Foundation
import Testing

struct `The page of a transcript` {
  @Test(arguments: transcripts, [1280, 360])
  func `has no problems, fits, and shows something in light and in dark`(
    transcript: any Transcript, width: Int
  ) throws {
    let sight = try Browser.shared().look(at: transcript.page, width: width, height: 640)
    #expect(sight.scrollWidth <= sight.clientWidth)
    var pictures: [Data] = []
    for scheme in Browser.Scheme.allCases {
      try sight.prefer(scheme)
      let picture = try sight.screenshot()
      #expect(try sight.colors(in: picture) > 8, "there is hardly anything to see")
      pictures.append(picture)
    }
    #expect(pictures[0] != pictures[1], "light and dark look alike")
    #expect(sight.problems == [])
  }
}
