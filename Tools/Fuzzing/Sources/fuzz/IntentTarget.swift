// The decoder of stored intents.
import Bytes
import Chat
import ChatCodec
import Foundation

extension Target {
  /// The bytes of a stored intent; one that decodes must be encoded to the same bytes.
  static let intents = Target(
    "intents",
    seeds: { fixtures in
      Dictionary(uniqueKeysWithValues: try fixtures.appending(path: "intents").files("bin").map { ($0.name, $0.bytes) })
    },
    check: { input in
      do throws(UnreadableIntent) {
        let intent = try decodeIntent(input.span.bytes)
        require(intent.canBeKept, "\(intent) was decoded, and cannot be encoded")
        var writer = ByteWriter()
        encode(intent, into: &writer)
        let written = writer.array()
        require(written == input, "\(intent) is read from \(input), and written as \(written)")
      } catch {
        require(!"\(error)".isEmpty, "an unreadable intent has no description")
      }
    })
}
