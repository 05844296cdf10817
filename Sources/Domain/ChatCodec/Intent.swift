// The stored form of intents, for the outbox and for the hash of an intent.
public import Bytes
public import Chat

/// Appends the stored form of an intent to a writer.
///
/// It is canonical: equal intents have the same bytes, in every process. <doc:StoredIntents> describes them.
///
/// - Precondition: `canBeKept` is true. Intents that ``/Chat/decide(_:by:at:given:)`` refuses for any other reason can
///   be written all the same.
public func encode(_ intent: ChatIntent, into writer: inout ByteWriter) { intent.write(to: &writer) }

extension ChatIntent {
  /// Whether the intent can be stored: offsets in texts are in 0 … 2^31 - 1, and extra values no deeper than
  /// ``/Chat/Limits/storedDepthMax``. It costs as much as encoding the intent, and never traps.
  public var canBeKept: Bool {
    // Checked by the encoder itself, so that no part of an intent can be missed here.
    var writer = ByteWriter()
    return keep(in: &writer)
  }

  /// Appends the stored form and returns true; if the intent cannot be stored, returns false and leaves invalid bytes.
  package func keep(in writer: inout ByteWriter) -> Bool {
    writer.notesMisfits = true
    defer { writer.notesMisfits = false }
    write(to: &writer)
    return !writer.hasMisfit
  }
}

/// Returns the intent decoded from bytes.
///
/// It never traps, whatever the bytes. Outboxes must keep unreadable bytes too: a newer program may have written them.
public func decodeIntent(_ bytes: RawSpan) throws(UnreadableIntent) -> ChatIntent {
  var fields = FieldReader(bytes)
  do throws(PayloadDefect) {
    let intent = try ChatIntent(from: &fields)
    try fields.end()
    return intent
  } catch {
    throw UnreadableIntent(error)
  }
}

// MARK: Areas

extension ChatIntent {
  /// The number of fields of an `Intent`, one for each area.
  private static let fieldMax: UInt64 = 14

  fileprivate init(from fields: inout FieldReader) throws(PayloadDefect) {
    if let wish: Wish<User.ID, User.Intent> = try fields.optionalValue(1) {
      self = .user(wish.key, wish.intent)
    } else if let wish: Wish<Device.Key, Device.Intent> = try fields.optionalValue(2) {
      self = .device(wish.key, wish.intent)
    } else if let wish: Wish<Mute.Key, Mute.Intent> = try fields.optionalValue(3) {
      self = .mute(wish.key, wish.intent)
    } else if let wish: Wish<Ban.Key, Ban.Intent> = try fields.optionalValue(4) {
      self = .ban(wish.key, wish.intent)
    } else if let wish: Wish<Flag.Key, Flag.Intent> = try fields.optionalValue(5) {
      self = .flag(wish.key, wish.intent)
    } else if let wish: Wish<Channel.ID, Channel.Intent> = try fields.optionalValue(6) {
      self = .channel(wish.key, wish.intent)
    } else if let wish: Wish<Member.Key, Member.Intent> = try fields.optionalValue(7) {
      self = .member(wish.key, wish.intent)
    } else if let wish: Wish<Message.Key, Message.Intent> = try fields.optionalValue(8) {
      self = .message(wish.key, wish.intent)
    } else if let wish: Wish<Reaction.Key, Reaction.Intent> = try fields.optionalValue(9) {
      self = .reaction(wish.key, wish.intent)
    } else if let wish: Wish<Draft.Key, Draft.Intent> = try fields.optionalValue(10) {
      self = .draft(wish.key, wish.intent)
    } else if let wish: Wish<Composer.Key, Composer.Intent> = try fields.optionalValue(11) {
      self = .composer(wish.key, wish.intent)
    } else if let wish: Wish<AppEvent.Subject, AppEvent> = try fields.optionalValue(12) {
      self = .app(wish.key, wish.intent)
    } else if let wish: Wish<Consumer.ID, Consumer.Intent> = try fields.optionalValue(13) {
      self = .consumer(wish.key, wish.intent)
    } else if let later: LaterIntent = try fields.optionalValue(14) {
      self = later.intent
    } else if let number = fields.nextNumber, number > Self.fieldMax {
      throw PayloadDefect(.intent(number), field: number)
    } else {
      throw fields.absence(of: UInt8(Self.fieldMax))
    }
  }

  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .user(let id, let intent): writer.value(1, Wish(key: id, intent: intent))
    case .device(let key, let intent): writer.value(2, Wish(key: key, intent: intent))
    case .mute(let key, let intent): writer.value(3, Wish(key: key, intent: intent))
    case .ban(let key, let intent): writer.value(4, Wish(key: key, intent: intent))
    case .flag(let key, let intent): writer.value(5, Wish(key: key, intent: intent))
    case .channel(let id, let intent): writer.value(6, Wish(key: id, intent: intent))
    case .member(let key, let intent): writer.value(7, Wish(key: key, intent: intent))
    case .message(let key, let intent): writer.value(8, Wish(key: key, intent: intent))
    case .reaction(let key, let intent): writer.value(9, Wish(key: key, intent: intent))
    case .draft(let key, let intent): writer.value(10, Wish(key: key, intent: intent))
    case .composer(let key, let intent): writer.value(11, Wish(key: key, intent: intent))
    case .app(let subject, let event): writer.value(12, Wish(key: subject, intent: event))
    case .consumer(let id, let intent): writer.value(13, Wish(key: id, intent: intent))
    case .block, .review, .saved, .scheduled, .thread, .vote: writer.value(14, LaterIntent(intent: self))
    }
  }
}

/// An intent of one of the areas beyond the first ones, whose fields are numbered separately: no field has a number
/// above 15.
private struct LaterIntent: StoredValue {
  static var message: StaticString { "LaterIntent" }

  /// The number of fields, one for each area.
  private static let fieldMax: UInt64 = 6

  let intent: ChatIntent

  init(intent: ChatIntent) { self.intent = intent }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    if let wish: Wish<UserBlock.Key, UserBlock.Intent> = try fields.optionalValue(1) {
      intent = .block(wish.key, wish.intent)
    } else if let wish: Wish<Flag.Target, Review.Intent> = try fields.optionalValue(2) {
      intent = .review(wish.key, wish.intent)
    } else if let wish: Wish<SavedMessage.Key, SavedMessage.Intent> = try fields.optionalValue(3) {
      intent = .saved(wish.key, wish.intent)
    } else if let wish: Wish<ScheduledMessage.Key, ScheduledMessage.Intent> = try fields.optionalValue(4) {
      intent = .scheduled(wish.key, wish.intent)
    } else if let wish: Wish<ThreadMarker.Key, ThreadMarker.Intent> = try fields.optionalValue(5) {
      intent = .thread(wish.key, wish.intent)
    } else if let wish: Wish<Vote.Key, Vote.Intent> = try fields.optionalValue(6) {
      intent = .vote(wish.key, wish.intent)
    } else if let number = fields.nextNumber, number > Self.fieldMax {
      throw fields.defect(UInt8(clamping: number), .intent(number))
    } else {
      throw fields.absence(of: UInt8(Self.fieldMax))
    }
  }

  func write(to writer: inout ByteWriter) {
    switch intent {
    case .block(let key, let intent): writer.value(1, Wish(key: key, intent: intent))
    case .review(let key, let intent): writer.value(2, Wish(key: key, intent: intent))
    case .saved(let key, let intent): writer.value(3, Wish(key: key, intent: intent))
    case .scheduled(let key, let intent): writer.value(4, Wish(key: key, intent: intent))
    case .thread(let key, let intent): writer.value(5, Wish(key: key, intent: intent))
    case .vote(let key, let intent): writer.value(6, Wish(key: key, intent: intent))
    default: preconditionFailure("\(intent) is in an area of its own")
    }
  }
}

/// An intent with its key: one message of `intents.proto` for each area.
private struct Wish<Key: StoredKey, Intent: StoredIntent>: StoredValue {
  static var message: StaticString { Intent.message }

  let key: Key
  let intent: Intent

  init(key: Key, intent: Intent) { (self.key, self.intent) = (key, intent) }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    key = try Key.read(1, &fields)
    intent = try Intent(from: &fields)
  }

  func write(to writer: inout ByteWriter) {
    key.write(1, to: &writer)
    intent.write(to: &writer)
  }
}

// MARK: Intents of an area

/// An intent of one area: its kind in field 2, followed by the fields of the kind.
protocol StoredIntent {
  /// The name of the area's message in the schema.
  static var message: StaticString { get }

  /// Reads the fields after the key.
  @_lifetime(fields: copy fields)
  init(from fields: inout FieldReader) throws(PayloadDefect)

  /// Writes the fields after the key.
  func write(to writer: inout ByteWriter)
}

extension FieldReader {
  /// Returns the kind of an intent.
  @_lifetime(self: copy self)
  mutating func kind<Kind: StoredCase>() throws(PayloadDefect) -> Kind {
    guard let number = try varint(2) else { throw absence(of: 2) }
    guard let kind = Kind(stored: number) else { throw defect(2, number == 0 ? .byDefault : .intent(number)) }
    return kind
  }
}

extension ByteWriter {
  /// Writes the kind of an intent.
  mutating func kind(_ kind: some StoredCase) { option(2, kind) }
}
