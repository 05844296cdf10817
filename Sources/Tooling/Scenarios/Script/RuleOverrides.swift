// The permissions and size limits in the first line of a scenario.
internal import Chat
internal import JSONLines

/// The workspace rules that a scenario overrides.
struct RuleOverrides: Sendable {
  private var hasOneReaction = false
  private var roles: [(role: Role, capabilities: Capabilities)] = []
  private var attachments: Int?
  private var mentions: Int?
  private var reactionKinds: Int?
  private var nameLength: Int?
  private var textBytes: Int?
  private var uploadBytes: UInt64?

  init() {}

  /// Reads the keys of the first line that override rules.
  init(_ reader: inout ObjectReader) throws(InputDefect) {
    hasOneReaction = try reader.bool("oneReaction") ?? false
    if var limits = try reader.object("limits") {
      attachments = try limits.count("attachments")
      mentions = try limits.count("mentions")
      reactionKinds = try limits.count("reactionKinds")
      nameLength = try limits.count("nameLength")
      textBytes = try limits.count("textBytes")
      uploadBytes = try limits.integer("uploadBytes")
      try limits.finish()
    }
    guard let value = reader.value("roles") else { return }
    guard case .object(let members) = value else { throw reader.defect("roles", "an object of arrays", value) }
    for member in members {
      var role = try ObjectReader(.object([member]), what: "“roles”")
      let words = try role.texts(member.key) ?? []
      roles.append((try ID(valid: member.key), try Capabilities(words)))
    }
  }

  /// Applies the overrides to the rules of a workspace.
  func apply(to rules: inout Rules) {
    if hasOneReaction { rules.reactionsPerUser = .one }
    for (role, capabilities) in roles { rules.memberCapabilities[role] = capabilities }
    rules.limits.attachmentsMax = attachments ?? rules.limits.attachmentsMax
    rules.limits.mentionsMax = mentions ?? rules.limits.mentionsMax
    rules.limits.reactionKindsMax = reactionKinds ?? rules.limits.reactionKindsMax
    rules.limits.nameLengthMax = nameLength ?? rules.limits.nameLengthMax
    rules.limits.textByteCountMax = textBytes ?? rules.limits.textByteCountMax
    rules.limits.uploadByteCountMax = uploadBytes ?? rules.limits.uploadByteCountMax
  }
}

extension Capabilities {
  /// Creates the set of the named capabilities.
  fileprivate init(_ words: [String]) throws(InputDefect) {
    self.init()
    for word in words {
      guard let capability = Capability.allCases.first(where: { "\($0)" == word }) else {
        let advice = nearest(to: word, among: Capability.allCases.map { "\($0)" }).map { "did you mean “\($0)”?" }
        throw InputDefect("There is no capability “\(word)”: \(advice ?? "use one such as send or reply.")")
      }
      insert(capability)
    }
  }
}
