// Tests of refused sends and failed commands as codes with values: names that are stored, and their way back.
import Chat
import ChatComposer
import Foundation
import Testing

/// A refusal and the code and values under which it is stored, which never change.
private struct StoredRefusal: Sendable, CustomTestStringConvertible {
  let refusal: SendRefusal
  let code: RecordedFailure.Code
  let values: Extra
  var testDescription: String { "\(refusal)" }

  init(_ refusal: SendRefusal, _ code: RecordedFailure.Code, _ values: Extra = [:]) {
    (self.refusal, self.code, self.values) = (refusal, code, values)
  }

  static let all: [StoredRefusal] =
    [
      StoredRefusal(.busy, "busy"), StoredRefusal(.empty, "empty"),
      StoredRefusal(.tooLong(count: 281, max: 280), "tooLong", ["count": 281, "max": 280]),
      StoredRefusal(.uploading(file: "a.txt"), "uploading", ["file": "a.txt"]),
      StoredRefusal(
        .uploadFailed(file: "a.txt", .text("no network")), "uploadFailed",
        ["file": "a.txt", "code": "text", "values": .fields(["reason": "no network"])]),
      StoredRefusal(
        .uploadFailed(file: "a.txt", RecordedFailure("acme.offline")), "uploadFailed",
        ["file": "a.txt", "code": "acme.offline", "values": .fields([:])]),
      StoredRefusal(.frozen, "frozen"), StoredRefusal(.banned(until: nil), "banned"),
      StoredRefusal(.banned(until: Timestamp(rawValue: 1_000_000)), "banned", ["until": 1_000_000]),
      StoredRefusal(.coolingDown(seconds: 30), "coolingDown", ["seconds": 30]),
      StoredRefusal(.unknownCommand("/foo"), "unknownCommand", ["word": "/foo"]),
      StoredRefusal(.incomplete("ban", format: nil), "incompleteCommand", ["command": "ban"]),
      StoredRefusal(
        .incomplete("ban", format: "/ban [@user]"), "incompleteCommand", ["command": "ban", "format": "/ban [@user]"]),
      StoredRefusal(.refused(.oneself), "refused", ["refusal": "oneself"]),
      StoredRefusal(.refused(.unknownUser("bo")), "refused", ["refusal": "unknownUser", "user": "bo"]),
      StoredRefusal(
        .refused(.coolingDown(until: Timestamp(rawValue: 7))), "refused", ["refusal": "coolingDown", "until": 7]),
    ] + capabilities + flags

  private static let capabilities = zip(
    Capability.allCases,
    [
      "read", "send", "reply", "quote", "upload", "sendLinks", "react", "mute", "ban", "flag", "pin", "editOwn",
      "editAny", "deleteOwn", "deleteAny", "invite", "changeChannel", "skipSlowMode", "moderate", "mentionGroups",
    ]
  ).map { capability, name in
    StoredRefusal(.notAllowed(capability), "notAllowed", ["capability": .text(UserText(name))])
  }

  private static let flags = zip(
    ChannelFlag.allCases,
    [
      "typingEvents", "readEvents", "deliveryEvents", "reactions", "replies", "quotes", "uploads", "urlEnrichment",
      "mutes", "search",
    ]
  ).map { flag, name in StoredRefusal(.off(flag), "off", ["flag": .text(UserText(name))]) }
}

struct SendRefusalFailures {
  @Test(arguments: StoredRefusal.all)
  private func `a refusal is stored under its code with its values, and rebuilt from them`(stored: StoredRefusal) {
    let failure = RecordedFailure(stored.code, stored.values)
    #expect(RecordedFailure(stored.refusal) == failure)
    #expect(SendRefusal(failure) == stored.refusal)
    #expect(failure.sentence == stored.refusal.description)
    #expect(stored.refusal.event == .sendRefused(failure))
  }

  @Test func `every capability and flag has its stored name`() {
    #expect(StoredRefusal.all.filter { $0.code == "notAllowed" }.count == Capability.allCases.count)
    #expect(StoredRefusal.all.filter { $0.code == "off" }.count == ChannelFlag.allCases.count)
  }

  /// Events once stored a refusal as its name and an English sentence. Read as a code, a ban until tomorrow would have
  /// no end.
  @Test func `a refusal of which only the sentence was stored keeps that sentence`() {
    let failure = RecordedFailure("banned", ["reason": "You are banned until tomorrow."])
    #expect(SendRefusal(failure) == nil)
    #expect(failure.sentence == "You are banned until tomorrow.")
  }

  @Test(arguments: [.noDuration("soon"), .nothingFound("xyz"), .unknown("ban")] as [CommandError])
  func `the error of a command is rebuilt from its code and values`(error: CommandError) {
    let failure = RecordedFailure(error)
    #expect(CommandError(failure) == error)
    #expect(SendRefusal(failure) == nil)
    #expect(failure.sentence == error.description)
  }

  @Test func `every code and its values are on the page about failures`() throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Domain/ChatComposer/ChatComposer.docc/RecordedFailures.md"), encoding: .utf8)
    let errors: [CommandError] = [.noDuration("soon"), .nothingFound("xyz"), .unknown("ban")]
    for failure in StoredRefusal.all.map({ RecordedFailure($0.refusal) }) + errors.map({ RecordedFailure($0) }) {
      let row = page.split(separator: "\n").first { $0.hasPrefix("| `\(failure.code)` |") } ?? ""
      for field in failure.values.fields where failure.code != "refused" || field.name == "refusal" {
        #expect(row.contains("`\(field.name)`"), "\(failure.code)")
      }
      #expect(!row.isEmpty, "\(failure.code)")
    }
  }
}
