// What is done in composers, in tests: recorded under the rules, and what the composer holds then.
import Chat
import Testing

extension Composer.Key {
  static let bo = Composer.Key(of: "bo", on: "phone", in: "general")
}

extension Author {
  static let bosPhone = Author.user("bo", on: "phone")
}

extension Scene {
  /// Bo's composer.
  var composer: Composer { state[Composer.Key.bo] ?? Composer(.bo) }

  /// Bo did this on the phone.
  func composing(
    _ events: Composer.Event..., at instant: Instant = .start, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Scene {
    let scene = and(
      .composer(.bo, .record(events)), by: .bosPhone, at: instant, sourceLocation: sourceLocation)
    #expect(scene.composer.defect == nil, sourceLocation: sourceLocation)
    return scene
  }

  /// Bo cannot do this.
  func composingIsRefused(
    _ events: Composer.Event..., refusal: Refusal, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    when(.composer(.bo, .record(events)), by: .bosPhone).thenRefused(refusal, sourceLocation: sourceLocation)
  }
}

extension Composer {
  /// What is typed.
  var text: String { content.text.userText.string }

  /// Which text stands for whom.
  var meant: [String] {
    content.mentions.map { mention in
      let range = mention.range.lowerBound.rawValue..<mention.range.upperBound.rawValue
      return "\(mention.user): \(String(decoding: content.text.units[range], as: UTF16.self))"
    }
  }
}

extension Composer.Event {
  /// Something is typed in front of a place.
  static func type(_ text: UserText, at place: UTF16Offset = 0) -> Self { .typed(Splice(place..<place, to: text)) }

  /// A range goes.
  static func erase(_ range: UTF16Range) -> Self { .typed(Splice(range, to: "")) }

  /// A user is picked, named so, followed by a space.
  static func pick(_ user: User.ID, as name: String, in range: UTF16Range) -> Self {
    .mentionPicked(user, Splice(range, to: UserText(name + " ")), length: name.utf16.count)
  }
}
