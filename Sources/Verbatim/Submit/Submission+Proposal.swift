// What tells a submit that is tried again from another that has taken its id.
internal import Bytes
internal import Chat
internal import EventLog

extension Submission {
  /// A hash of what is wanted, by whom and in what connection. What must hold meanwhile is not part of it: it held when
  /// the submit was recorded.
  var proposal: ProposalHash {
    ProposalHash(
      of: Array("\(intents) \(actor) \(String(describing: correlation)) \(String(describing: cause))".utf8).span.bytes)
  }
}
