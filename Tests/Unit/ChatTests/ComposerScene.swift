// Helpers for composer tests: record events through the decider and read the resulting composer.
import Chat
import Testing

extension Composer.Key {
  static let bo = Composer.Key(of: "bo", on: "phone", in: "general")
}

extension Author {
  static let bosPhone = Author.user("bo", on: "phone")
}

extension Scene {
  /// The composer of Bo.
  var composer: Composer { state[Composer.Key.bo] ?? Composer(.bo) }

  /// Records events of Bo on the phone.
  func composing(
    _ events: Composer.Event..., at instant: Timestamp = .start, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Scene {
    let scene = and(
      .composer(.bo, .record(events)), by: .bosPhone, at: instant, sourceLocation: sourceLocation)
    #expect(scene.composer.defect == nil, sourceLocation: sourceLocation)
    return scene
  }

  /// Expects that events of Bo on the phone are refused.
  func composingIsRefused(
    _ events: Composer.Event..., refusal: Refusal, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    when(.composer(.bo, .record(events)), by: .bosPhone).thenRefused(refusal, sourceLocation: sourceLocation)
  }
}

extension Composer {
  /// The typed text.
  var text: String { content.text.userText.string }

  /// The mentions with their texts.
  var meant: [String] {
    content.mentions.map { mention in
      let range = mention.range.lowerBound.rawValue..<mention.range.upperBound.rawValue
      return "\(mention.user): \(String(decoding: content.text.units[range], as: UTF16.self))"
    }
  }
}

extension Composer.Event {
  /// Returns the insertion of a text at an offset.
  static func type(_ text: UserText, at place: UTF16Offset = 0) -> Self { .typed(Splice(place..<place, to: text)) }

  /// Returns the deletion of a range.
  static func erase(_ range: UTF16Range) -> Self { .typed(Splice(range, to: "")) }

  /// Returns the pick of a user, with the name and a space as the inserted text.
  static func pick(_ user: User.ID, as name: String, in range: UTF16Range) -> Self {
    .mentionPicked(user, Splice(range, to: UserText(name + " ")), length: name.utf16.count)
  }
}
