// The first line of a scenario: its title, and the configuration of the workspace.
internal import Chat
internal import ChatComposer
internal import Errors
internal import Foundation
internal import JSONLines

/// The contents of the first line of a scenario.
struct Settings: Sendable {
  /// The version of the line format, as written in the first line.
  static let version: UInt64 = 1

  var title = ""
  var rules: [String] = []
  var start = Timestamp(rawValue: 1_767_258_000_000_000)
  var users: [(id: User.ID, name: UserText)] = []
  var channels: [(id: Channel.ID, members: [User.ID])] = []
  var keepsDrafts = false
  var refusesUnknownCommands = false
  var zone = TimeZone.gmt
  var suggesting = SuggestionSettings()
  var attachments = AttachmentLimits()
  var previews: [String: String]?
  var gifs: [String: String]?
  var appearance = Appearance()
  var house = RuleOverrides()

  /// Reads the first line.
  init(_ json: JSON) throws(InputDefect) {
    var reader = try ObjectReader(json, what: "the first line")
    let version = try reader.required("scenario", try reader.integer("scenario"))
    guard version == Self.version else {
      throw InputDefect(
        "The scenario has version \(version), and this program plays version \(Self.version): use a program of that "
          + "version."
      )
    }
    title = try reader.required("title", try reader.text("title"))
    rules = try reader.texts("rules") ?? []
    start = try reader.instant("clock") ?? start
    users = try reader.names("users").map { name throws(InputDefect) in
      (try ID(valid: name.0), UserText(name.1))
    }
    channels = try Self.channels(&reader)
    keepsDrafts = try reader.bool("drafts") ?? false
    refusesUnknownCommands = try reader.bool("refusesUnknownCommands") ?? false
    house = try RuleOverrides(&reader)
    if let name = try reader.text("zone") {
      guard let zone = TimeZone(identifier: name) else {
        throw InputDefect("There is no time zone “\(name)”: use a name such as UTC or Europe/Berlin.")
      }
      self.zone = zone
    }
    suggesting = try SuggestionSettings(&reader)
    if var limits = try reader.object("attachments") { attachments = try AttachmentLimits(&limits) }
    // Keys of other bytes can be equal texts: the last one counts.
    if reader.has("previews") { previews = Dictionary(try reader.names("previews")) { $1 } }
    if reader.has("gifs") { gifs = Dictionary(try reader.names("gifs")) { $1 } }
    if var appearance = try reader.object("appearance") { self.appearance = try Appearance(&appearance) }
    try reader.finish()
  }

  private static func channels(_ reader: inout ObjectReader) throws(InputDefect) -> [(Channel.ID, [User.ID])] {
    guard let value = reader.value("channels") else { return [] }
    guard case .object(let members) = value else { throw reader.defect("channels", "an object of arrays", value) }
    return try members.map { member throws(InputDefect) in
      guard case .array(let values) = member.value else {
        throw InputDefect("“\(member.key)” of “channels” must be an array of users, its owner first.")
      }
      return (
        try ID(valid: member.key),
        try values.map { value throws(InputDefect) in
          guard case .string(let text) = value else { throw InputDefect("“channels” must name users by their ids.") }
          return try ID(valid: text)
        }
      )
    }
  }
}

extension ObjectReader {
  /// Takes an object of texts in its order; empty when it is missing.
  mutating func names(_ key: String) throws(InputDefect) -> [(String, String)] {
    guard let value = value(key) else { return [] }
    guard case .object(let members) = value else { throw defect(key, "an object of texts", value) }
    return try members.map { member throws(InputDefect) in
      guard case .string(let text) = member.value else { throw defect(key, "an object of texts", value) }
      return (member.key, text)
    }
  }
}

extension ID {
  /// Creates the id of a text; throws if the text is not a valid id.
  init(valid text: String) throws(InputDefect) {
    self = try rethrow(Self(text), as: { (error: IDError) in InputDefect("\(error)") })
  }
}

extension AttachmentLimits {
  fileprivate init(_ reader: inout ObjectReader) throws(InputDefect) {
    self.init()
    countMax = try reader.count("count") ?? countMax
    byteCountMax = try reader.integer("bytes") ?? byteCountMax
    allowedExtensions = try reader.texts("allowed")
    blockedExtensions = try reader.texts("blocked") ?? []
    allowedMIMETypes = try reader.texts("allowedTypes")
    blockedMIMETypes = try reader.texts("blockedTypes") ?? []
    try reader.finish()
  }
}
