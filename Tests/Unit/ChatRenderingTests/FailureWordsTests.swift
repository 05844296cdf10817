// Tests of the texts of failures: an app replaces them for its language, wherever one is drawn.
import Chat
import ChatComposer
import ChatRendering
import TerminalRendering
import Testing

struct FailureWordsTests {
  private let german = {
    var context = RenderingContext()
    context.words.sendRefusal = { "Nicht gesendet: \($0.code)" }
    context.words.refusal = { _ in "Abgelehnt" }
    context.words.notice = { _ in "Hinweis" }
    context.words.failure = { "Fehler \($0.code) (\($0.values.fields.count))" }
    return context
  }()

  /// Returns the slot of a composer with an attachment whose upload failed.
  private func slot(_ failure: RecordedFailure) -> ComposerSlot {
    let now = Timestamp(rawValue: 0)
    var composer = Composer(Composer.Key(of: "ada", on: "phone", in: "general"))
    composer.apply(.attached(ComposedAttachment(Attachment("a", .file, title: "a.txt"), .failed(failure))), at: now)
    let reducer = ComposerReducer(composer, options: ComposerOptions())
    return ComposerSlot(reducer.presentation(at: now), composer.content, selection: composer.selection)
  }

  private func drawn(_ failure: RecordedFailure, in context: RenderingContext) -> [String] {
    [
      PlainTextFactory(columns: 100, context: context).draw(slot(failure)).text(hasColors: false),
      PageFactory(context).draw(slot(failure)).markup,
    ]
  }

  @Test func `the failure of an upload has the text of the app in both factories`() {
    for text in drawn(RecordedFailure("acme.quota", ["max": 5]), in: german) {
      #expect(text.contains("Fehler acme.quota (1)"))
    }
    for text in drawn(.text("offline"), in: german) { #expect(text.contains("Fehler text (1)")) }
    for text in drawn(RecordedFailure(Refusal.oneself), in: german) { #expect(text.contains("Abgelehnt")) }
    for text in drawn(RecordedFailure(SendRefusal.frozen), in: german) {
      #expect(text.contains("Nicht gesendet: frozen"))
    }
  }

  @Test func `without a text of the app, failures are shown in English`() {
    let english = RenderingContext()
    for text in drawn(.text("There is no network."), in: english) { #expect(text.contains("There is no network.")) }
    for text in drawn(RecordedFailure(CommandError.unknown("ban")), in: english) {
      #expect(text.contains("There is no command ban here any more"))
    }
    #expect(english.words(for: SendRefusal.empty) == SendRefusal.empty.description)
    #expect(english.words(for: Refusal.oneself) == Refusal.oneself.description)
    let notice = ComposerNotice.commandFailed("ban", RecordedFailure("acme.quota", ["max": 5]))
    #expect(english.words(for: notice) == "The command ban failed: acme.quota (max: 5)")
  }

  @Test func `the text of a failed upload can still be a key of the composer's texts`() {
    var context = RenderingContext()
    context.words.composer["offline"] = "kein Netz"
    for text in drawn(.text("offline"), in: context) { #expect(text.contains("kein Netz")) }
  }

  @Test func `the notice of an executed command is drawn with the composer, in the language of the app`() throws {
    var context = RenderingContext()
    context.words.notice = { notice in
      guard case .commandExecuted(let command, let name?) = notice else { return notice.description }
      return command.id == "flag" ? "\(name) wurde gemeldet." : "Ausgeführt"
    }
    var slot = everyComposer()
    slot.notice = .commandExecuted(ComposedCommand("flag", target: "bo"), name: "<Bo>")
    let page = expectStrict(PageFactory(context).draw(slot).markup)
    #expect(page.elements.filter { $0.attributes["role"] == "status" }.map(\.text).contains("<Bo> wurde gemeldet."))
    #expect(page.elements.allSatisfy { $0.attributes["role"] != "alert" })
    let lines = PlainTextFactory(columns: 80, context: context).draw(slot).text(hasColors: false).split(separator: "\n")
    #expect(lines.contains("<Bo> wurde gemeldet."))
    slot.notice = .notRecorded("The disk is full.")
    let failed = expectStrict(PageFactory().draw(slot).markup).elements.filter { $0.attributes["role"] == "alert" }
    #expect(failed.map(\.text) == ["The disk is full."])
    #expect(PlainTextFactory(columns: 80).draw(slot).text(hasColors: false).contains("! The disk is full."))
    slot.notice = nil
    #expect(!PageFactory().draw(slot).markup.contains("alert"))
  }

  @Test func `a notice and a refusal to send have the text of the refusal in them`() {
    #expect(german.words(for: SendRefusal.frozen) == "Nicht gesendet: frozen")
    #expect(german.words(for: SendRefusal.refused(.oneself)) == "Abgelehnt")
    #expect(german.words(for: ComposerNotice.notSent(.frozen)) == "Nicht gesendet: frozen")
    #expect(german.words(for: ComposerNotice.notSent(.refused(.oneself))) == "Abgelehnt")
    #expect(german.words(for: ComposerNotice.openElsewhere) == "Hinweis")
  }
}
