// Threat: a row is decoded as another one, two rows share a key, or damaged bytes are accepted as a row.
import Bytes
import Chat
import ChatSamples
import ChatProjections
import SeededRandom
import Tables
import Testing

struct `Stored rows` {
  /// Returns a stored row of each kind.
  private func samples(_ random: inout SeededRandom) -> [StoredSample] {
    let (user, device, mute, ban) = (random.user(), random.device(), random.mute(), random.ban())
    let (flag, channel, member, message) = (random.flag(), random.channel(), random.member(), random.message())
    let (reaction, draft) = (random.reaction(), random.draft())
    let (composer, consumer) = (random.composer(), random.consumer())
    let (block, review, vote) = (random.block(), random.review(), random.vote())
    let (saved, scheduled, marker) = (random.savedMessage(), random.scheduledMessage(), random.threadMarker())
    return [
      stored(user, user.id, \.id), stored(device, device.key, \.key), stored(mute, mute.key, \.key),
      stored(ban, ban.key, \.key), stored(flag, flag.key, \.key), stored(channel, channel.id, \.id),
      stored(member, member.key, \.key), stored(message, message.key, \.key), stored(reaction, reaction.key, \.key),
      stored(draft, draft.key, \.key), stored(composer, composer.key, \.key),
      stored(consumer, consumer.id, \.id), stored(block, block.key, \.key), stored(review, review.target, \.target),
      stored(vote, vote.key, \.key), stored(saved, saved.key, \.key), stored(scheduled, scheduled.key, \.key),
      stored(marker, marker.key, \.key),
    ]
  }

  /// Returns the stored form of a row, and expects that it decodes to the same row.
  private func stored<Row: BinaryRow & Equatable, Key: TableKey>(
    _ row: Row, _ key: Key, _ keyOf: @escaping (Row) -> Key
  ) -> StoredSample {
    let (keyBytes, value) = (key.withKeyBytes { Array($0) }, row.encoded)
    #expect((1...511).contains(keyBytes.count))
    #expect(Row(decoding: value.span.bytes, of: keyBytes.span.bytes) == row)
    return StoredSample(name: "\(Row.self)", key: keyBytes, value: value) { key, value in
      Row(decoding: value.span.bytes, of: key.span.bytes).map { (keyOf($0).withKeyBytes { Array($0) }, $0.encoded) }
    }
  }

  @Test func `a stored row decodes to the same row`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<150 { _ = samples(&random) }
  }

  @Test func `a stored client id decodes to the same message key`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<100 {
      let (key, row) = (Message.ClientKey(random.id(), random.id()), Message.Key(random.id(), random.id()))
      let bytes = key.withKeyBytes { Array($0) }
      #expect(Message.Key(decoding: row.encoded.span.bytes, of: bytes.span.bytes) == row)
      #expect(Message.Key(decoding: row.encoded.span.bytes, of: Array(key.author.text.utf8).span.bytes) == nil)
    }
  }

  @Test func `damaged bytes are rejected, or are the encoding of another row`() {
    var random = SeededRandom.printingSeed()
    var counts = (refused: 0, read: 0)
    for _ in 0..<60 {
      for sample in samples(&random) {
        for _ in 0..<12 {
          var (key, value) = (sample.key, sample.value)
          if random.once(in: 4) { random.damage(&key) } else { random.damage(&value) }
          if let other = sample.rewrite(key, value) {
            counts.read += 1
            #expect(other.key == key, "\(sample.name), seed \(random.seed)")
            #expect(other.value == value, "\(sample.name), seed \(random.seed)")
          } else {
            counts.refused += 1
          }
        }
        #expect(sample.rewrite([], sample.value) == nil)
        _ = sample.rewrite(sample.key, random.noise(random.below(60)))
        _ = sample.rewrite(random.noise(random.below(60)), sample.value)
      }
    }
    #expect(counts.read > 0 && counts.refused > 0, "\(counts)")
  }
}

struct `Keys of rows` {
  @Test func `keys sort by their parts, whatever the ids`() {
    let names: [Channel.ID] = ["a", "a!", "aa", "b", "a~"]
    let keys = names.flatMap { channel in
      (["m", "m!", "mm", "n"] as [Message.ID]).map { Message.Key(channel, $0) }
    }
    let byBytes = keys.sorted { a, b in
      a.withKeyBytes { a in b.withKeyBytes { b in a.lexicographicallyPrecedes(b) } }
    }
    let byParts = keys.sorted { a, b in a.channel == b.channel ? a.id < b.id : a.channel < b.channel }
    #expect(byBytes == byParts)
  }

  @Test func `keys of the longest ids fit`() {
    let long = String(repeating: "x", count: idLengthMax)
    let key = Composer.Key(
      of: User.ID(stringLiteral: long), on: Device.ID(stringLiteral: long), in: Channel.ID(stringLiteral: long),
      thread: Message.ID(stringLiteral: long))
    #expect(key.withKeyBytes { $0.count } == 4 * idLengthMax + 3)
  }

  @Test func `keys of targets with the same id differ by kind`() {
    #expect(Set([bytes(Mute.Key(by: "a", of: .user("b"))), bytes(Mute.Key(by: "a", of: .channel("b")))]).count == 2)
    #expect(
      Set([bytes(Ban.Key(of: "a", from: .everywhere)), bytes(Ban.Key(of: "a", from: .channel("a")))]).count == 2)
    #expect(bytes(Ban.Key(of: "ada", from: .everywhere)) == Array(" ada".utf8))
    #expect(bytes(Mute.Key(by: "ada", of: .user("bob"))) == Array("ada  bob".utf8))
    #expect(bytes(Flag.Key(by: "ada", on: .user("bob"))) == Array(" bob ada".utf8))
  }

  private func bytes(_ key: some TableKey) -> [UInt8] { key.withKeyBytes { Array($0) } }
}

extension BinaryRow {
  fileprivate var encoded: [UInt8] {
    var writer = ByteWriter()
    encode(into: &writer)
    return writer.array()
  }
}

extension SeededRandom {
  /// Flips, replaces, removes or inserts bytes.
  mutating func damage(_ bytes: inout [UInt8]) {
    let place = below(bytes.count + 1)
    switch below(4) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
    case 1 where place < bytes.count: bytes[place] = pick([0, 1, 0x20, 0x7F, 0x80, 0xFF])
    case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(3)))
    default: bytes.insert(contentsOf: noise(1 + below(3)), at: place)
    }
  }
}
