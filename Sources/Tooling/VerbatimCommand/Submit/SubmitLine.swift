// Parses a line of JSON into a submission; every member of the line is checked.
internal import Chat
internal import EventLog
internal import JSONLines
internal import Synchronization
internal import Verbatim

extension Submission {
  /// The members of a line that are not part of an intent.
  private static let ownKeys = ["id", "correlation", "cause", "intents"]

  /// Parses a line: one intent with the members of its append, or several intents under `intents`.
  init(line: [UInt8], by actor: Author, in workspace: Workspace) throws(InputDefect) {
    let json: JSON
    do throws(InputDefect) { json = try JSONParser.parse(line) } catch {
      throw InputDefect("The line is not JSON (\(error.description)): write one JSON object to a line.")
    }
    guard case .object(let members) = json else { throw json.mismatch("The line", "an object") }
    let own = members.filter { Self.ownKeys.contains($0.key) }
    let rest = members.filter { !Self.ownKeys.contains($0.key) }
    var reader = try ObjectReader(.object(own), what: "the line")
    let id = try reader.appendID("id")
    let correlation = try reader.name("correlation")
    let cause = try reader.position("cause")
    let list = try reader.array("intents")
    let defaults = IntentDefaults(of: actor, id, in: workspace)
    var intents: [ChatIntent] = []
    if let list {
      if let key = rest.first?.key { throw InputDefect("“\(key)” is beside “intents” in the line: leave one out.") }
      guard !list.isEmpty else { throw InputDefect("“intents” of the line is empty: add an intent.") }
      for (index, json) in list.enumerated() {
        intents.append(try ChatIntent(json: json, of: "intent \(index + 1) of the line", defaults))
      }
    } else {
      intents = [try ChatIntent(rest, of: "the line", defaults)]
    }
    self.init(intents, by: actor, id: id, correlation: correlation, cause: cause)
  }
}

extension IntentDefaults {
  /// Creates the defaults of an author. With the id of an append, they are the same for each retry: ids of messages
  /// follow from it, and the instant of a change is required.
  init(of actor: Author, _ id: AppendID?, in workspace: Workspace) {
    let messages = MessageIDs(id, in: workspace)
    self.init(user: actor.user, message: messages.next, editedAt: { id == nil ? workspace.now : nil })
  }
}

/// The ids of the messages of one append that are sent without an id.
final class MessageIDs: Sendable {
  private let id: AppendID?
  private let workspace: Workspace
  private let count = Atomic(0)

  init(_ id: AppendID?, in workspace: Workspace) { (self.id, self.workspace) = (id, workspace) }

  /// Returns the id of the next message: a new one, or with an append id that id, then that id with a number.
  @Sendable
  func next() -> Message.ID {
    guard let id else { return workspace.newID() }
    let number = count.add(1, ordering: .relaxed).newValue
    return Message.ID(rawValue: number == 1 ? id.description : "\(id)-\(number)") ?? workspace.newID()
  }
}
