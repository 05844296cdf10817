// Encrypting and decrypting the content of events.
internal import Bytes
internal import Digests
internal import EventLog

/// The keys that were used last, by what they are derived from.
internal struct ContentKeyCache: ~Copyable {
  enum Found {
    case key(EnvelopeKey)
    case erased(Position)
    /// The key for the hashes of a person's intents.
    case proposals(SecretKey)
  }

  private static let countMax = 1 << 16
  private var sources = ByteMap()
  /// The keys by the numbers of their sources.
  private var found: [Found] = []
  /// The source that was looked up last.
  private var source = ByteWriter()

  mutating func removeAll() {
    sources.removeAll()
    found.removeAll()
  }

  /// Returns the key for content of an event in a stream, which belongs to a person, to the channel, or to neither.
  ///
  /// One search in place of one for each part: it is made for each event that is read.
  mutating func find(
    _ stream: UnsafeRawBufferPointer, _ person: UnsafeRawBufferPointer?, _ header: ContentHeader, _ day: Day
  ) -> Found? {
    source.removeAll()
    source.varint(UInt64(header.generation) << 2 | (header.isOfChannel ? 2 : 0) | (person == nil ? 0 : 1))
    source.varint(UInt64(UInt32(bitPattern: day.rawValue)))
    source.varint(UInt64(stream.count))
    source.bytes(stream)
    if let person { source.bytes(person) }
    return source.withBytes { sources.find($0) }.map { found[$0] }
  }

  mutating func find(
    _ stream: UnsafeRawBufferPointer, _ person: Name?, _ header: ContentHeader, _ day: Day
  ) -> Found? {
    guard let person else { return find(stream, nil as UnsafeRawBufferPointer?, header, day) }
    return person.withBytes { find(stream, $0, header, day) }
  }

  /// Keeps the key for the content that was looked up last.
  mutating func keep(_ key: Found) {
    if found.count >= Self.countMax { removeAll() }
    let (number, isNew) = source.withBytes { sources.insert($0) }
    if isNew { found.append(key) } else { found[number] = key }
  }
}

/// The bytes that a call needs while it runs.
internal struct ContentBuffers: ~Copyable {
  var context = ByteWriter()
  var header = ByteWriter()
  var text = ByteWriter()
  var bytes: [UInt8] = []
}

extension KeyState {
  // MARK: Encrypting

  mutating func encrypt(
    _ event: ProposedEvent, _ place: AppendPlace, _ recorded: Timestamp, _ parts: inout ContentParts,
    _ hasStream: (Name) throws(LogError) -> Bool
  ) throws(LogError) -> Bool {
    guard let content = event.content else { return false }
    buffers.text.removeAll()
    split(event.payload.span.bytes, by: content.fields, &buffers.text, &parts.readable)
    if buffers.text.count == 0, !content.isAlways {
      parts.removeAll()
      return false
    }
    do throws(KeyError) {
      let (header, key) = try keyForNew(content, event, recorded, hasStream)
      buffers.header.removeAll()
      header.write(to: &buffers.header)
      event.stream.withBytes { stream in
        event.type.withBytes { type in
          parts.readable.withBytes { writeContext(stream, type, place, $0) }
        }
      }
      buffers.header.withBytes { parts.encrypted.bytes($0) }
      let count = buffers.text.count + EnvelopeKey.tagByteCount
      reserveBytes(count)
      buffers.bytes.withUnsafeMutableBytes { envelope in
        let envelope = UnsafeMutableRawBufferPointer(rebasing: envelope[..<count])
        buffers.text.withBytes { text in
          buffers.context.withBytes { key.encrypt(text, in: $0, into: envelope) }
        }
        parts.encrypted.bytes(UnsafeRawBufferPointer(envelope))
      }
      return true
    } catch {
      throw LogError(error)
    }
  }

  /// Returns the header and the key for the content of a new event.
  private mutating func keyForNew(
    _ content: EventContent, _ event: ProposedEvent, _ recorded: Timestamp,
    _ hasStream: (Name) throws(LogError) -> Bool
  ) throws(KeyError) -> (ContentHeader, EnvelopeKey) {
    var header = ContentHeader()
    var person = event.actor
    switch content.owner {
    case .author: break
    case .person(let name):
      if name != person { header.owner = .person(name) }
      person = name
    case .channel: header.isOfChannel = event.stream.withBytes { ContentPlace($0.bytes).channel != nil }
    case .workspace:
      if person != nil { header.owner = .workspace }
      person = nil
    }
    let day = Day(of: recorded)
    let holder = header.isOfChannel ? nil : person
    header.generation = generation(of: holder)
    let known = event.stream.withBytes { cache.find($0, holder, header, day) }
    if case .key(let key)? = known { return (header, key) }
    let (kind, channel) = event.stream.withBytes { ContentPlace($0.bytes).copy }
    let keyKind = header.isOfChannel ? .channel : kind
    let found = try derive(keyKind, person, header.generation, channel, day, isNew: true, hasStream)
    if found.day == day { cache.keep(.key(found.key)) } else { header.day = found.day }
    return (header, found.key)
  }

  /// Returns the generation in use of the keys of a person, or of those of channels and the workspace.
  private func generation(of person: Name?) -> UInt32 {
    person.map { erasures.generation(of: $0) } ?? erasures.generation
  }

  private mutating func reserveBytes(_ count: Int) {
    if buffers.bytes.count < count { buffers.bytes = [UInt8](repeating: 0, count: 2 * count) }
  }

  // MARK: Decrypting

  mutating func decrypt(
    _ event: EventView, _ place: AppendPlace, into payload: inout ByteWriter
  ) throws(LogError) -> Position? {
    guard let encrypted = event.encrypted else { return nil }
    var reader = ByteReader(encrypted)
    guard let header = ContentHeader(&reader) else { throw .content(.malformed, of: event) }
    let headerCount = reader.offset
    guard encrypted.byteCount - headerCount >= EnvelopeKey.tagByteCount else { throw .content(.malformed, of: event) }
    let key: EnvelopeKey
    switch try self.key(header, event) {
    case .erased(let position):
      event.payload.withUnsafeBytes { payload.bytes($0) }
      return position
    case .key(let found): key = found
    case .proposals: preconditionFailure("the key of a proposal was found for an event")
    }
    encrypted.extracting(0..<headerCount).withUnsafeBytes { header in
      buffers.header.removeAll()
      buffers.header.bytes(header)
    }
    event.stream.withUnsafeBytes { stream in
      event.type.withUnsafeBytes { type in
        event.payload.withUnsafeBytes { writeContext(stream, type, place, $0) }
      }
    }
    let count = encrypted.byteCount - headerCount - EnvelopeKey.tagByteCount
    reserveBytes(count)
    let envelope = encrypted.extracting(headerCount..<encrypted.byteCount)
    let isWhole = buffers.bytes.withUnsafeMutableBytes { text in
      let text = UnsafeMutableRawBufferPointer(rebasing: text[..<count])
      return envelope.withUnsafeBytes { envelope in
        buffers.context.withBytes { key.decrypt(envelope, in: $0, into: text) }
      }
    }
    guard isWhole else { throw .content(.changed, of: event) }
    let isJoined = buffers.bytes.withUnsafeBytes { text in
      join(UnsafeRawBufferPointer(rebasing: text[..<count]).bytes, event.payload, into: &payload)
    }
    guard isJoined else { throw .content(.malformed, of: event) }
    return nil
  }

  private mutating func key(_ header: ContentHeader, _ event: EventView) throws(LogError) -> ContentKeyCache.Found {
    let day = header.day ?? Day(of: event.recorded)
    if header.owner == nil {
      let known = event.stream.withUnsafeBytes { stream in
        guard !header.isOfChannel, let actor = event.actor else {
          return cache.find(stream, nil as UnsafeRawBufferPointer?, header, day)
        }
        return actor.withUnsafeBytes { cache.find(stream, $0, header, day) }
      }
      if let known { return known }
    }
    let (kind, channel) = ContentPlace(event.stream).copy
    var person = event.actorName
    switch header.owner {
    case .person(let name): person = name
    case .workspace: person = nil
    case nil: break
    }
    let found = try key(header, header.isOfChannel ? .channel : kind, person, channel, day, event)
    // Names of owners are rare: the cache is for all others.
    if header.owner == nil { cache.keep(found) }
    return found
  }

  private mutating func key(
    _ header: ContentHeader, _ kind: ContentKind, _ person: Name?, _ channel: Name?, _ day: Day, _ event: EventView
  ) throws(LogError) -> ContentKeyCache.Found {
    if let position = erasures.erasure(of: kind, by: person, header.generation, in: channel, on: day) {
      return .erased(position)
    }
    do throws(KeyError) {
      return .key(try derive(kind, person, header.generation, channel, day, isNew: false, { _ in true }).key)
    } catch {
      if case .missing(let holder) = error { throw .content(.keyMissing(holder, day), of: event) }
      throw LogError(error)
    }
  }

  // MARK: Keys

  /// Returns the key for content of a day; for new content, of the first later day whose keys were not destroyed, and
  /// with keys that are created if there are none.
  private mutating func derive(
    _ kind: ContentKind, _ person: Name?, _ generation: UInt32, _ channel: Name?, _ day: Day,
    isNew: Bool, _ hasStream: (Name) throws(LogError) -> Bool
  ) throws(KeyError) -> (key: EnvelopeKey, day: Day) {
    let holder = person.map { KeyHolder.person($0) } ?? .workspace
    let channelHolder = channel.map { KeyHolder.channel($0) }
    switch (kind, channelHolder) {
    case (.channel, let holder?):
      let number = try entry(of: holder, generation, day, isNew: isNew, hasStream)
      guard let secret = self[number].secret else { throw .missing(holder) }
      return (EnvelopeKey(of: secret.derived(for: "channel")), day)
    case (.message, let channelHolder?):
      let (own, other) = try entries(of: holder, generation, channelHolder, day, isNew: isNew, hasStream)
      guard let secret = self[own].secret else { throw .missing(holder) }
      let day = isNew ? max(day, self[other].messages?.first ?? day, channel.map(erasures.messagesBound) ?? day) : day
      guard let channelKey = self[other].messages?.key(of: day) else { throw .missing(channelHolder) }
      return (EnvelopeKey(of: secret.derived(for: "message", and: channelKey)), day)
    case (.typing, let channelHolder?):
      let (own, other) = try entries(of: holder, generation, channelHolder, day, isNew: isNew, hasStream)
      let first = max(self[own].typing?.first ?? day, self[other].typing?.first ?? day)
      let day = isNew ? max(day, first, erasures.typingBound(person, channel)) : day
      guard let ownKey = self[own].typing?.key(of: day) else { throw .missing(holder) }
      guard let channelKey = self[other].typing?.key(of: day) else { throw .missing(channelHolder) }
      return (EnvelopeKey(of: ownKey.derived(for: "typing", and: channelKey)), day)
    case (_, _):
      let number = try entry(of: holder, generation, day, isNew: isNew, hasStream)
      guard let secret = self[number].secret else { throw .missing(holder) }
      return (EnvelopeKey(of: secret.derived(for: "profile")), day)
    }
  }

  private mutating func entries(
    of holder: KeyHolder, _ generation: UInt32, _ channel: KeyHolder, _ day: Day,
    isNew: Bool, _ hasStream: (Name) throws(LogError) -> Bool
  ) throws(KeyError) -> (own: Int, channel: Int) {
    let own = try entry(of: holder, generation, day, isNew: isNew, hasStream)
    let number = try entry(of: channel, self[own].channelGeneration, day, isNew: isNew, hasStream)
    // The second search may have read the file again, and the entries have other numbers then.
    return (try entry(of: holder, generation, day, isNew: isNew, hasStream), number)
  }

  private mutating func entry(
    of holder: KeyHolder, _ generation: UInt32, _ day: Day,
    isNew: Bool, _ hasStream: (Name) throws(LogError) -> Bool
  ) throws(KeyError) -> Int {
    if isNew { return try entry(of: holder, generation, from: day, hasStream) }
    guard let number = try entry(of: holder, generation) else { throw .missing(holder) }
    return number
  }

  /// Writes what an envelope depends on besides its text: everything by which the event is known.
  private mutating func writeContext(
    _ stream: UnsafeRawBufferPointer, _ type: UnsafeRawBufferPointer, _ place: AppendPlace,
    _ readable: UnsafeRawBufferPointer
  ) {
    buffers.context.removeAll()
    place.append.withBytes { buffers.context.bytes($0) }
    buffers.context.varint(UInt64(place.index))
    for name in [stream, type] {
      buffers.context.varint(UInt64(name.count))
      buffers.context.bytes(name)
    }
    buffers.header.withBytes { header in
      buffers.context.varint(UInt64(header.count))
      buffers.context.bytes(header)
    }
    buffers.context.bytes(readable)
  }
}

// MARK: Proposals

extension KeyState {
  /// Returns the hash to store in place of that of an intent: nobody without the author's keys can guess the intent.
  mutating func hidden(
    _ proposal: ProposalHash, _ append: AppendID, _ actor: Name?, _ recorded: Timestamp,
    _ hasStream: (Name) throws(LogError) -> Bool
  ) throws(LogError) -> ProposalHash {
    do throws(KeyError) {
      var header = ContentHeader()
      header.generation = generation(of: actor)
      let known = cache.find(Self.noStream, actor, header, Self.noDay)
      if case .proposals(let key)? = known { return Self.hidden(proposal, append, with: key) }
      let holder = actor.map { KeyHolder.person($0) } ?? .workspace
      let number = try entry(of: holder, header.generation, from: Day(of: recorded), hasStream)
      guard let secret = self[number].secret else { throw .missing(holder) }
      let key = secret.derived(for: "proposal")
      cache.keep(.proposals(key))
      return Self.hidden(proposal, append, with: key)
    } catch {
      throw LogError(error)
    }
  }

  mutating func matches(
    _ stored: ProposalHash, _ proposal: ProposalHash, _ append: AppendID, _ actor: Name?
  ) -> Bool {
    let newest = generation(of: actor)
    let holder = actor.map { KeyHolder.person($0) } ?? .workspace
    for generation in (0...newest).reversed() {
      guard let number = try? entry(of: holder, generation), let secret = self[number].secret else { continue }
      if Self.hidden(proposal, append, with: secret.derived(for: "proposal")) == stored { return true }
    }
    return false
  }

  /// The stream and the day under which keys of proposals are kept: no event has a stream without a name.
  private static var noStream: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
  private static let noDay = Day(rawValue: 0)

  private static func hidden(_ proposal: ProposalHash, _ append: AppendID, with key: SecretKey) -> ProposalHash {
    append.withBytes { append in
      withUnsafeBytes(of: proposal.rawValue.littleEndian) { proposal in
        key.derived(for: append, proposal).withBytes { bytes in
          ProposalHash(of: bytes.bytes)
        }
      }
    }
  }
}
