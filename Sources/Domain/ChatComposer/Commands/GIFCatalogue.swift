// A small built-in catalogue of animated pictures.
public import Chat

/// A small catalogue of animated pictures, for tests, demos and offline use.
///
/// The picture depends only on the query and the number. The URLs lead to no resource: an app draws a picture by its
/// name, or uses another ``GIFProvider``.
public struct GIFCatalogue: GIFProvider {
  /// The names of the pictures.
  public static let names = [
    "applause", "bow", "cat", "celebration", "coffee", "dance", "dog", "facepalm", "fireworks", "high-five", "hug",
    "laughter", "party", "rain", "rocket", "shrug", "sleep", "sunrise", "thumbs-up", "wave",
  ]

  /// Creates the catalogue.
  public init() {}

  /// Returns the picture whose name is one of the words, or one chosen by hash; higher numbers give the following ones.
  public func picture(for words: UserText, number: Int) async throws -> GIF {
    let wanted = words.string.lowercased().split { !$0.isLetter && $0 != "-" }
    let named = Self.names.firstIndex { name in wanted.contains { $0 == name } }
    // FNV-1a, which is the same in every process.
    let hash = words.string.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let first = named ?? Int(hash % UInt64(Self.names.count))
    let name = Self.names[(first + max(0, number % Self.names.count)) % Self.names.count]
    return GIF(url: UserText("gif:" + name), title: UserText(name), size: Attachment.Size(width: 320, height: 240))
  }
}
