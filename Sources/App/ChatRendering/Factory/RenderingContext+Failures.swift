// Texts of refusals, failures and a composer's notices.
public import Chat
public import ChatComposer

extension RenderingContext {
  /// Returns the text for a refusal to send.
  public func words(for refusal: SendRefusal) -> String {
    if case .refused(let refusal) = refusal { words(for: refusal) } else { words.sendRefusal(refusal) }
  }

  /// Returns the text for a refusal of the domain.
  public func words(for refusal: Refusal) -> String { words.refusal(refusal) }

  /// Returns the text for a notice of a composer.
  public func words(for notice: ComposerNotice) -> String {
    if case .notSent(let refusal) = notice { words(for: refusal) } else { words.notice(notice) }
  }

  /// Returns the text for a recorded failure; that of a refusal if one was recorded.
  public func words(for failure: RecordedFailure) -> String {
    if let refusal = SendRefusal(failure) { return words(for: refusal) }
    return composerWords(words.failure(failure))
  }
}
