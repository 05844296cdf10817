// Mentions of groups: the whole channel, those who are online, the members of a role.

extension Mention {
  /// A group of members that a mention can name in place of a user.
  public enum Group: Hashable, Sendable {
    /// All members of the channel: `@channel`.
    case channel
    /// The members who are online: `@here`.
    case here
    /// The members with a role in the channel: `@role:moderator`.
    case role(Role)
  }

  /// Creates a mention of a group at a range of text; nil for a role whose id has more than 58 characters.
  public init?(_ group: Group, at range: UTF16Range) {
    guard let id = User.ID(group) else { return nil }
    self.init(id, at: range)
  }

  /// The mentioned group; nil for a mention of a user.
  public var group: Group? { user.group }
}

/// The id that stands for a group in a mention begins with `@`; no user can be created with such an id.
extension ID where Named == User {
  /// Creates the id that stands for a group in a mention; nil for a role whose id is too long.
  package init?(_ group: Mention.Group) {
    switch group {
    case .channel: self = "@channel"
    case .here: self = "@here"
    case .role(let role): self.init(rawValue: "@role:" + role.text)
    }
  }

  /// Whether no user can be created with the id.
  package var isReserved: Bool { text.utf8.first == UInt8(ascii: "@") }

  /// The group for which the id stands; nil for the id of a user.
  package var group: Mention.Group? {
    guard isReserved else { return nil }
    switch text {
    case "@channel": return .channel
    case "@here": return .here
    default:
      guard text.hasPrefix("@role:"), let role = Role(rawValue: String(text.dropFirst(6))) else { return nil }
      return .role(role)
    }
  }
}
