// The keys of chat values in JSON: profiles, configurations, contents, attachments.
internal import Chat
internal import Errors
internal import JSONLines

extension User.Profile: JSONObjectForm {
  static var blank: Self { User.Profile(name: "") }
  static var fields: [JSONField<Self>] {
    [JSONField("name", \.name, isRequired: true), JSONField("image", \.image), JSONField("extra", \.extra)]
  }
}

extension Device.Info: JSONObjectForm {
  static var blank: Self { Device.Info(name: "") }
  static var fields: [JSONField<Self>] {
    [
      JSONField("name", \.name, isRequired: true), JSONField("pushService", \.pushService),
      JSONField("pushToken", \.pushToken),
    ]
  }
}

extension Channel.Profile: JSONObjectForm {
  static var blank: Self { Channel.Profile() }
  static var fields: [JSONField<Self>] {
    [JSONField("name", \.name), JSONField("image", \.image), JSONField("extra", \.extra)]
  }
}

extension ChannelConfig: JSONObjectForm {
  static var blank: Self { ChannelConfig() }
  static var fields: [JSONField<Self>] {
    [
      JSONField("off", \.off), JSONField("messageLengthMax", \.messageLengthMax), JSONField("slowMode", \.slowMode),
      JSONField("isPublic", \.isPublic), JSONField("commands", each: \.commands),
    ]
  }
}

// MARK: Messages

extension Message.Content: JSONObjectForm {
  static var blank: Self { Message.Content() }
  static var fields: [JSONField<Self>] {
    [
      JSONField("kind", \.kind), JSONField("text", \.text), JSONField("mentions", each: \.mentions),
      JSONField("attachments", each: \.attachments), JSONField("parent", \.parent),
      JSONField("showsInChannel", \.showsInChannel), JSONField("quoted", \.quoted), JSONField("isSilent", \.isSilent),
      JSONField("extra", \.extra), JSONField("client", \.client), JSONField("isPending", \.isPending),
      JSONField("forwarded", \.forwarded),
    ]
  }
}

extension Message.Kind: JSONForm {
  var json: JSON {
    switch self {
    case .regular: .string("regular")
    case .system: .string("system")
    case .ephemeral: .string("ephemeral")
    case .custom(let kind): .object([JSON.Member("custom", kind)])
    }
  }

  init(json: JSON, of what: String) throws(InputDefect) {
    switch try json.oneCase(of: what) {
    case ("regular", nil): self = .regular
    case ("system", nil): self = .system
    case ("ephemeral", nil): self = .ephemeral
    case ("custom", let kind?): self = .custom(try Message.CustomKind(json: kind, of: "“custom” of \(what)"))
    case (let name, _): throw JSON.unknown(name, what, ["regular", "system", "ephemeral", "custom"])
    }
  }
}

extension Message.Edits: JSONObjectForm {
  static var blank: Self { Message.Edits() }
  static var fields: [JSONField<Self>] {
    [
      JSONField("text", \.text), JSONField("mentions", each: \.mentions),
      JSONField("attachments", each: \.attachments), JSONField("extra", \.extra),
    ]
  }
}

extension Mention: JSONObjectForm {
  static var blank: Self { Mention("-", at: .start ..< .start) }
  static var fields: [JSONField<Self>] {
    [JSONField("user", \.user, isRequired: true), JSONField("range", \.range, isRequired: true)]
  }
}

extension Message.Forwarded: JSONForm {
  var json: JSON { .object(of: JSON.Member("source", source), .optional("author", author)) }

  init(json: JSON, of what: String) throws(InputDefect) {
    var reader = try ObjectReader(json, what: what)
    let source: Message.Key = try reader.needed("source")
    self.init(source, by: try reader.form("author"))
    try reader.finish()
  }
}

// MARK: Polls

extension Poll.Option: JSONForm {
  /// The members of the object, without the votes, which no event has.
  var members: [JSON.Member] { [JSON.Member("id", id), JSON.Member("text", text)] }

  var json: JSON { .object(members) }

  init(json: JSON, of what: String) throws(InputDefect) {
    var reader = try ObjectReader(json, what: what)
    try self.init(takenFrom: &reader)
    try reader.finish()
  }

  /// Takes the id and the text from an object that may have other members.
  init(takenFrom reader: inout ObjectReader) throws(InputDefect) {
    let id: ID = try reader.needed("id")
    self.init(id, try reader.needed("text"))
  }
}

extension Poll.Rules {
  /// The members of the object.
  var members: [JSON.Member] {
    [
      JSON.Member("votesPerUserMax", votesPerUserMax), JSON.Member("isAnonymous", isAnonymous),
      JSON.Member("isExtensible", isExtensible),
    ] + [.optional("until", expiry.end)].compactMap(\.self)
  }

  /// Takes the members from an object that may have others.
  init(takenFrom reader: inout ObjectReader) throws(InputDefect) {
    self.init(
      votesPerUserMax: try reader.form("votesPerUserMax") ?? 1, isAnonymous: try reader.form("isAnonymous") ?? false,
      isExtensible: try reader.form("isExtensible") ?? false, expiry: Expiry(until: try reader.form("until")))
  }
}

// MARK: Attachments

extension Attachment: JSONObjectForm {
  static var blank: Self { Attachment("-", .file) }
  static var fields: [JSONField<Self>] {
    [
      JSONField("id", \.id, isRequired: true), JSONField("kind", \.kind, isRequired: true),
      JSONField("location", \.location), JSONField("title", \.title), JSONField("summary", \.summary),
      JSONField("thumbnail", \.thumbnail), JSONField("mimeType", \.mimeType), JSONField("byteCount", \.byteCount),
      JSONField("size", \.size), JSONField("duration", \.duration), JSONField("waveform", each: \.knownWaveform),
      JSONField("extra", \.extra),
    ]
  }
}

extension Attachment {
  /// The waveform; nil when it is unknown.
  fileprivate var knownWaveform: [UInt8]? {
    get { waveform.isEmpty ? nil : waveform }
    set { waveform = newValue ?? [] }
  }
}

extension Attachment.Kind: JSONForm {
  private static let plain: [Attachment.Kind] = [.image, .video, .file, .audio, .link, .giphy]

  var json: JSON {
    guard case .custom(let kind, let payload) = self else { return .string("\(self)") }
    return .object([JSON.Member("custom", kind), JSON.Member(payload: payload)])
  }

  init(json: JSON, of what: String) throws(InputDefect) {
    if case .object = json {
      var reader = try ObjectReader(json, what: what)
      self = .custom(try reader.needed("custom"), payload: try reader.payloadBytes())
      try reader.finish()
      return
    }
    let name = try json.string(of: what)
    guard let kind = Self.plain.first(where: { "\($0)" == name }) else {
      throw JSON.unknown(name, what, Self.plain.map { "\($0)" })
    }
    self = kind
  }
}

extension Attachment.Location: JSONForm {
  var json: JSON {
    switch self {
    case .none: .string("none")
    case .device(let path): .object([JSON.Member("device", path)])
    case .url(let url): .object([JSON.Member("url", url)])
    }
  }

  init(json: JSON, of what: String) throws(InputDefect) {
    switch try json.oneCase(of: what) {
    case ("none", nil): self = .none
    case ("device", let path?): self = .device(try UserText(json: path, of: "“device” of \(what)"))
    case ("url", let url?): self = .url(try UserText(json: url, of: "“url” of \(what)"))
    case (let name, _): throw JSON.unknown(name, what, ["none", "device", "url"])
    }
  }
}

extension Attachment.Size: JSONObjectForm {
  static var blank: Self { Attachment.Size(width: 0, height: 0) }
  static var fields: [JSONField<Self>] {
    [JSONField("width", \.width, isRequired: true), JSONField("height", \.height, isRequired: true)]
  }
}

// MARK: Unsent content

extension Composition: JSONObjectForm {
  static var blank: Self { Composition() }
  static var fields: [JSONField<Self>] {
    [
      JSONField("text", \.text), JSONField("mentions", each: \.mentions),
      JSONField("attachments", each: \.attachments), JSONField("command", \.command), JSONField("quoted", \.quoted),
      JSONField("showsInChannel", \.showsInChannel), JSONField("isSilent", \.isSilent), JSONField("extra", \.extra),
      JSONField("dismissedPreviews", each: \.dismissedPreviews),
    ]
  }
}

extension ComposedAttachment: JSONObjectForm {
  static var blank: Self { ComposedAttachment(.blank, .done) }
  static var fields: [JSONField<Self>] {
    [JSONField("attachment", \.attachment, isRequired: true), JSONField("upload", \.upload)]
  }
}

extension ComposedAttachment.Upload: JSONForm {
  var json: JSON {
    switch self {
    case .local: .string("local")
    case .uploading(let permille):
      .object([JSON.Member(key: "uploading", value: .object([JSON.Member("permille", permille)]))])
    case .done: .string("done")
    case .failed(let failure): .object([JSON.Member("failed", failure)])
    }
  }

  init(json: JSON, of what: String) throws(InputDefect) {
    switch try json.oneCase(of: what) {
    case ("local", nil): self = .local
    case ("uploading", let value?):
      var reader = try ObjectReader(value, what: "“uploading” of \(what)")
      self = .uploading(permille: try reader.needed("permille"))
      try reader.finish()
    case ("done", nil): self = .done
    case ("failed", let failure?): self = .failed(try RecordedFailure(json: failure, of: "“failed” of \(what)"))
    case (let name, _): throw JSON.unknown(name, what, ["local", "uploading", "done", "failed"])
    }
  }
}

extension RecordedFailure: JSONForm {
  var json: JSON { .object([JSON.Member("code", code), JSON.Member("values", values)]) }

  init(json: JSON, of what: String) throws(InputDefect) {
    var reader = try ObjectReader(json, what: what)
    self.init(try reader.needed("code"), try reader.form("values") ?? [:])
    try reader.finish()
  }
}

extension ComposedCommand: JSONObjectForm {
  static var blank: Self { ComposedCommand("-") }
  static var fields: [JSONField<Self>] { [JSONField("id", \.id, isRequired: true), JSONField("target", \.target)] }
}
