// Random parts of events: extra data of an app, attachments, contents, profiles.
public import Chat
public import SeededRandom

// MARK: What an app adds

extension SeededRandom {
  /// Returns named values: none, a few, nested, or at the maximum stored depth.
  public mutating func extra() -> Extra {
    switch below(40) {
    case 0: deepExtra(Limits.storedDepthMax)
    case 1...16: [:]
    default: extra(depth: 1 + below(4))
    }
  }

  private mutating func extra(depth: Int) -> Extra {
    Extra((0..<pick([0, 1, 1, 2, 3, 6])).map { _ in Extra.Field(shortName(), value(depth: depth - 1)) })
  }

  /// Returns a name; many differ only in the last byte, in case or in length, to test ordering.
  private mutating func shortName() -> UserText {
    bool() ? pick(["", "a", "A", "ab", "b", "\u{E9}", "e\u{301}", "colour", "colours"]) : shortWording()
  }

  private mutating func value(depth: Int) -> Extra.Value {
    switch below(depth > 0 ? 8 : 5) {
    case 0: .null
    case 1: .bool(bool())
    case 2: .integer(integer())
    case 3: .number(double())
    case 4: .text(bool() ? "" : shortWording())
    case 5, 6: .list(list { $0.value(depth: depth - 1) })
    default: .fields(extra(depth: depth))
    }
  }

  /// Returns values nested to a depth, in lists and fields alternately.
  public mutating func deepExtra(_ depth: Int) -> Extra {
    var value = Extra.Value.bool(true)
    var inner = 0
    while inner < depth - 1 {
      value = bool() ? .list([value]) : .fields([shortName(): value])
      inner += 1
    }
    return [shortName(): value]
  }
}

// MARK: Attachments and contents

extension SeededRandom {
  /// Returns an attachment of any kind, each of its parts optional.
  public mutating func attachment() -> Attachment {
    Attachment(
      id(), attachmentKind(), at: location(), title: maybe { $0.userText() }, summary: maybe { $0.userText() },
      thumbnail: maybe { $0.userText() }, mimeType: maybe { $0.userText() }, byteCount: maybe { $0.number() },
      size: maybe { Attachment.Size(width: $0.number32(), height: $0.number32()) },
      duration: maybe { $0.microseconds() }, extra: extra())
  }

  private mutating func attachmentKind() -> Attachment.Kind {
    switch below(8) {
    case 0: .image
    case 1: .video
    case 2: .file
    case 3: .audio
    case 4: .link
    case 5: .giphy
    default: .custom(id(), payload: payload())
    }
  }

  private mutating func location() -> Attachment.Location {
    switch below(3) {
    case 0: .none
    case 1: .device(userText())
    default: .url(userText())
    }
  }

  /// Returns bytes of an app: none, a few, sometimes many.
  public mutating func payload() -> [UInt8] { noise(once(in: 30) ? below(20_000) : pick([0, 1, 7, 127, 128])) }

  /// Returns an attachment with the state of its upload.
  public mutating func composedAttachment() -> ComposedAttachment { ComposedAttachment(attachment(), upload()) }

  private mutating func upload() -> ComposedAttachment.Upload {
    switch below(4) {
    case 0: .local
    case 1: .uploading(permille: permille())
    case 2: .done
    default: .failed(.text(userText()))
    }
  }

  /// Returns a failure: often only a text, or its text with a code. Random histories have only texts, so that their
  /// frozen hashes stay.
  public mutating func failure() -> RecordedFailure {
    switch below(4) {
    case 0: RecordedFailure(id(), extra())
    case 1: RecordedFailure(id(), ["reason": .text(userText())])
    default: .text(userText())
    }
  }

  /// Returns thousandths, with an increased probability of none and all.
  public mutating func permille() -> UInt16 { once(in: 3) ? pick([0, 1, 999, 1000]) : UInt16(below(1001)) }

  /// Returns the unsent contents of a composer.
  public mutating func composition() -> Composition {
    var content = Composition(typedText())
    if once(in: 8) { return content }
    content.mentions = list { $0.mention() }
    content.attachments = list { $0.composedAttachment() }
    content.command = maybe { $0.command() }
    content.dismissedPreviews = list { $0.userText() }
    content.quoted = maybe { $0.id() }
    (content.showsInChannel, content.isSilent, content.extra) = (bool(), bool(), extra())
    return content
  }

  /// Returns a command with a user or without.
  public mutating func command() -> ComposedCommand { ComposedCommand(id(), target: maybe { $0.id() }) }

  /// Returns a command in execution.
  public mutating func execution() -> CommandExecution {
    CommandExecution(id(), of: command(), arguments: userText())
  }

  /// Returns the content of a message, each of its parts optional.
  public mutating func content() -> Message.Content {
    Message.Content(
      userText(), kind: messageKind(), mentions: list { $0.mention() }, attachments: list { $0.attachment() },
      parent: maybe { $0.id() }, showsInChannel: bool(), quoted: maybe { $0.id() }, isSilent: bool(), extra: extra(),
      client: maybe { $0.id() }, isPending: bool())
  }

  private mutating func messageKind() -> Message.Kind {
    switch below(6) {
    case 0: .system
    case 1: .ephemeral
    case 2: .custom(id())
    default: .regular
    }
  }

  /// Returns the changes of an edit: each part is set, removed, or unchanged.
  public mutating func edits() -> Message.Edits {
    Message.Edits(
      text: maybe { $0.userText() }, mentions: maybe { random in random.list { $0.mention() } },
      attachments: maybe { random in random.list { $0.attachment() } }, extra: maybe { $0.extra() })
  }
}

// MARK: Users and channels

extension SeededRandom {
  /// Returns a user's profile.
  public mutating func userProfile() -> User.Profile {
    User.Profile(name: userText(), image: maybe { $0.userText() }, extra: extra())
  }

  /// Returns a channel's profile.
  public mutating func channelProfile() -> Channel.Profile {
    Channel.Profile(name: userText(), image: maybe { $0.userText() }, extra: extra())
  }

  /// Returns a channel's configuration.
  public mutating func channelConfig() -> ChannelConfig {
    ChannelConfig(
      off: some(), messageLengthMax: number32(), slowMode: number32(),
      commands: maybe { random in random.list { $0.id() } })
  }

  /// Returns a device's information.
  public mutating func deviceInfo() -> Device.Info {
    Device.Info(name: userText(), pushService: maybe { $0.userText() }, pushToken: maybe { $0.userText() })
  }
}
