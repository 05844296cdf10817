// Messages and users as text in the rows of a table.
internal import Chat
internal import ChatProjections
internal import JSONLines
internal import Terminal
internal import Verbatim

extension ClientReading {
  /// Returns the name of a user, or the id of a user without a name.
  func name(of user: User.ID) throws(ReadError) -> String {
    let name = try self.user(user)?.profile.name.string ?? ""
    return name.isEmpty ? user.text : name
  }

  /// Returns the names of users, joined by commas.
  func names(of users: [User.ID]) throws(ReadError) -> String {
    try users.map { user throws(ReadError) in try name(of: user) }.joined(separator: ", ")
  }

  /// Returns the name of a message's author; empty for the app.
  func author(of message: Message) throws(ReadError) -> String {
    try message.author.map { user throws(ReadError) in try name(of: user) } ?? ""
  }

  /// Returns a message in one line: its text, and in brackets its state and other content.
  func words(of message: Message) -> String {
    if message.presence == .erased { return "(erased)" }
    if message.presence != .present { return "(deleted)" }
    var marks: [String] = []
    let content = message.content
    if case .failed(let reason) = message.delivery {
      marks.append(reason.isEmpty ? "not sent" : "not sent: \(reason.string)")
    }
    if message.delivery == .pending { marks.append("pending") }
    if content.kind != .regular { marks.append(JSON(of: content.kind).text) }
    if let quoted = content.quoted { marks.append("quotes \(quoted.text)") }
    if !content.attachments.isEmpty { marks.append(counted(content.attachments.count, "attachment")) }
    if message.isPinned(at: instant) { marks.append("pinned") }
    if message.edited != nil { marks.append("edited") }
    marks += message.reactions.map { "\($0.kind.text) \($0.count)" }
    if message.replyCount > 0 {
      marks.append(message.replyCount == 1 ? "1 reply" : "\(message.replyCount) replies")
    }
    let words = content.text.isEmpty && marks.isEmpty ? "(no text)" : content.text.string
    return ([words] + marks.map { "[\($0)]" }).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns the row of a message in a table of messages.
  func row(of message: Message, _ times: Times) throws(ReadError) -> [String] {
    [message.key.id.text, times(message.sent), try author(of: message), words(of: message)]
  }
}

extension [TextTable.Column] {
  /// The columns of a table of messages.
  static var messages: [TextTable.Column] {
    [.init("message"), .init("sent"), .init("author", isCut: true, style: .bold), .init("what", isCut: true)]
  }
}
