// A verb as words of a command line: its value, then its other keys as `key=value`.
package import Chat
package import JSONLines
package import Verbatim

/// The form of a verb's value, or of a key, as a word.
enum WordForm: Sendable {
  /// There is no word: the value is `true`.
  case none
  /// The word is the text.
  case text
  /// The word is `true` or `false`.
  case truth
  /// The word is a list of ids, separated by commas.
  case list
  /// The word is JSON.
  case json
}

/// The intents of a verb written as words: `say Hello in=general`.
package struct VerbWords: Sendable {
  private let target: TargetChange
  private let intents: VerbIntents

  /// The names of the verbs that are submissions, in groups with titles.
  package static var groups: [(title: String, verbs: [String])] {
    Verb.groups.map { group in (group.title, group.verbs.filter { $0.intents != nil }.map(\.name)) }
      .filter { !$0.verbs.isEmpty }
  }

  /// Parses a verb and its words.
  package init(_ words: [String]) throws(InputDefect) {
    let words = try Self.spelledOut(words)
    let known = Verb.all.filter { $0.intents != nil }
    guard let name = words.first else { throw InputDefect("A verb is missing: write one, as in say Hello in=general.") }
    guard let verb = known.first(where: { $0.name == name }), let read = verb.intents else {
      let advice = nearest(to: name, among: known.map(\.name)).map { "did you mean “\($0)”?" }
      let isComposers = Verb.all.contains { $0.name == name }
      let other = isComposers ? "it is only for scenarios; use “say” to send a message." : "use one of the verbs."
      throw InputDefect("“\(name)” cannot be submitted: \(advice ?? other)")
    }
    var reader = try ObjectReader(.object(try Self.members(verb, words.dropFirst())), what: "“\(name)”")
    target = try TargetChange(&reader)
    guard target.user == nil, target.device == nil else {
      throw InputDefect("“as” and “device” are the option --as USER@DEVICE: leave them out of the words.")
    }
    intents = try read(&reader)
    try reader.finish()
  }

  /// Returns the intents of a client's user, or of the app; what depends on the time or on the state of the workspace
  /// is an error where `now` is nil.
  package func intents(
    of client: Client?, in workspace: Workspace, now: Timestamp?, newMessage: @escaping @Sendable () -> Message.ID
  ) async throws -> [ChatIntent] {
    try await intents(
      IntentPlace(
        workspace: workspace, client: client, channel: target.channel, thread: target.thread, now: now,
        newMessage: newMessage))
  }

  /// Returns the words of `say` for `send CHANNEL TEXT`, as people write it; all others as they are.
  private static func spelledOut(_ words: [String]) throws(InputDefect) -> [String] {
    guard words.first == "send" else { return words }
    guard words.count > 2 else {
      throw InputDefect("“send” needs a channel and a text: write both, as in send general Hello.")
    }
    return ["say", words[2], "in=" + words[1]] + words.dropFirst(3)
  }

  private static func members(_ verb: Verb, _ words: ArraySlice<String>) throws(InputDefect) -> [JSON.Member] {
    var words = words
    var members: [JSON.Member] = []
    if verb.word == .none {
      members.append(JSON.Member(key: verb.name, value: .bool(true)))
    } else if let word = words.popFirst() {
      members.append(JSON.Member(key: verb.name, value: try verb.word.value(word, verb.name)))
    } else {
      throw InputDefect("“\(verb.name)” needs a value, its \(verb.value): add it.")
    }
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw InputDefect("“\(word)” of “\(verb.name)” is not a key with a value: write KEY=VALUE, and quote spaces.")
      }
      guard !members.contains(where: { $0.key == parts[0] }) else {
        throw InputDefect("“\(parts[0])” of “\(verb.name)” is given twice: leave one out.")
      }
      let form = verb.arguments.first { $0.name == parts[0] }?.word ?? .text
      members.append(JSON.Member(key: parts[0], value: try form.value(parts[1], parts[0])))
    }
    return members
  }
}

extension WordForm {
  /// Returns the JSON value of a word.
  fileprivate func value(_ word: String, _ key: String) throws(InputDefect) -> JSON {
    switch self {
    case .none, .text: return .string(word)
    case .truth:
      guard word == "true" || word == "false" else {
        throw InputDefect("“\(key)” is “\(word)” and must be true or false.")
      }
      return .bool(word == "true")
    // An element may have a comma in an array.
    case .list where word.hasPrefix("["): return try Self.parsed(word, key)
    case .list: return .array(word.split(separator: ",").map { .string(String($0)) })
    case .json: return try Self.parsed(word, key)
    }
  }

  private static func parsed(_ word: String, _ key: String) throws(InputDefect) -> JSON {
    do throws(InputDefect) { return try JSONParser.parse(Array(word.utf8)) } catch {
      throw InputDefect("“\(key)” is not JSON (\(error.description)): write and quote a JSON value.")
    }
  }
}
