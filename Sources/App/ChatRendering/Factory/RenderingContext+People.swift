// What people are called, and what tells them apart.
public import ChatMessageList

extension RenderingContext {
  /// What somebody is called; as the context knows them where they have no name.
  public func name(of sender: MessageSender) -> String { sender.name.isEmpty ? name(sender.id) : sender.name }
}

extension String {
  /// A number for an id, from which comes the color of whoever has it.
  var steadyHash: UInt32 {
    // FNV-1a: every machine and every run has to find the same, which the library's own hash does not.
    utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}
