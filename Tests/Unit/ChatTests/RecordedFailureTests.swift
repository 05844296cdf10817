// Tests of recorded failures: errors become codes with values, and refusals are rebuilt from them.
import Chat
import ChatSamples
import Testing

/// An error of an app with a code and values.
private struct Quota: CodedError {
  let code: RecordedFailure.Code = "acme.quota"
  var values: Extra = ["max": 5]
}

private struct Offline: Error, CustomStringConvertible {
  var description = "There is no network."
}

struct RecordedFailureTests {
  private static let bans = [
    Scene.general.and(.ban(Ban.Key(of: "bo", from: .channel("general")), .impose(.until(.start.plus(60)), reason: nil)))
      .state[Ban.Key(of: "bo", from: .channel("general"))]!
  ]

  private static let refusals =
    Refusals.refusals + bans.map { .banned($0) } + [
      .clientIDTaken("c", by: .m1), .otherDevice("phone"),
      .notComposable(Composer.Key(of: "bo", on: "phone", in: "general", thread: "m1")),
    ]

  @Test(arguments: refusals)
  func `a refusal is rebuilt from its code and values`(refusal: Refusal) {
    let failure = RecordedFailure(refusal)
    #expect(Refusal(failure) == refusal)
    #expect(failure.description == refusal.description)
    #expect(failure.onlyReason == nil, "it would be stored as a text")
  }

  // What broke: an event of the banned user had the reason, which is the words of the one who banned.
  @Test func `the recorded refusal of a banned user does not have the reason of the ban`() throws {
    let key = Ban.Key(of: "bo", from: .everywhere)
    let ban = try #require(Scene.general.and(.ban(key, .impose(.endless, reason: "spam"))).state[key])
    let failure = RecordedFailure(Refusal.banned(ban))
    #expect(!"\(failure.values)".contains("spam"))
    #expect(Refusal(failure).map { RefusalKind($0) } == RefusalKind(.banned(ban)))
  }

  @Test func `every kind of refusal is among those tested`() {
    #expect(Set(Self.refusals.map { RefusalKind($0) }) == Set(RefusalKind.allCases))
  }

  @Test(arguments: refusals)
  func `a refusal without one of its values is not rebuilt as another`(refusal: Refusal) {
    let failure = RecordedFailure(refusal)
    for field in failure.values.fields {
      var values = failure.values
      values[field.name] = nil
      if let other = Refusal(RecordedFailure(failure.code, values)) {
        #expect(RefusalKind(other) == RefusalKind(refusal), "without \(field.name)")
      }
    }
    #expect(Refusal(RecordedFailure("other", failure.values)) == nil)
  }

  @Test func `an error with a code is recorded with its values, any other with its description`() {
    #expect(RecordedFailure(Quota()) == RecordedFailure("acme.quota", ["max": 5]))
    #expect(RecordedFailure(Offline()) == .text("There is no network."))
    let long = String(repeating: "é", count: 1001)
    #expect(RecordedFailure(Offline(description: long)) == .text(UserText(String(long.dropLast()))))
  }

  @Test func `values too large to be recorded are replaced by the description`() {
    let large = Quota(values: ["text": .text(UserText(String(repeating: "x", count: 4000)))])
    var deep: Extra = ["a": 1]
    for _ in 1...8 { deep = ["a": .fields(deep)] }
    for error in [large, Quota(values: deep)] {
      let failure = RecordedFailure(error)
      #expect(failure.code == "acme.quota")
      #expect(failure.reason?.string.hasPrefix("Quota(") == true)
      #expect(failure.values.fields.count == 1)
    }
  }

  @Test func `a failure is described by its reason, otherwise by its code and values`() {
    #expect("\(RecordedFailure.text("There is no network."))" == "There is no network.")
    #expect("\(RecordedFailure("acme.quota", ["max": 5, "reason": "5 files a day"]))" == "5 files a day")
    #expect("\(RecordedFailure("acme.quota"))" == "acme.quota")
    let values: Extra = ["by": .null, "file": "a.txt", "kinds": .list([true, 0.5]), "of": .fields(["max": 5])]
    #expect(
      "\(RecordedFailure("acme.quota", values))"
        == "acme.quota (by: none, file: a.txt, kinds: true, 0.5, of: max: 5)")
  }
}
