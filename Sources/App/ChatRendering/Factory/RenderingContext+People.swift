// Names of users, and hashes for their colors.
public import ChatMessageList

extension RenderingContext {
  /// Returns a sender's name; if it is empty, the name that the context has for the id.
  public func name(of sender: MessageSender) -> String { sender.name.isEmpty ? name(sender.id) : sender.name }
}

extension String {
  /// A deterministic hash of an id, from which its color is derived.
  package var steadyHash: UInt32 {
    // FNV-1a: the same on every machine and in every run, unlike the standard library's hash.
    utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}
