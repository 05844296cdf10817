// Refusals by name, as scenarios expect them.
internal import Chat
internal import ChatComposer
internal import Verbatim
internal import VerbatimUI

/// The refusal of an action.
struct Refused: Error {
  /// The name of the reason.
  let name: String
  /// The reason as a sentence.
  let sentence: String

  init(_ name: String, _ sentence: String) { (self.name, self.sentence) = (name, sentence) }

  /// Creates the refusal of an error; nil for an error that is not a refusal.
  init?(_ error: any Error) {
    switch error {
    case let refused as Refused: self = refused
    case let refusal as Refusal: self.init(refusal.name, refusal.description)
    case let error as SubmitError:
      guard let refusal = error.refusal else { return nil }
      self.init(refusal)
    case ReadError.refused(let refusal): self.init(refusal)
    case ComposerError.refused(let refusal): self.init(refusal.code.text, refusal.description)
    case ComposerError.notSent(.refused(let refusal)): self.init(refusal)
    case ComposerError.notSent(let refusal): self.init(refusal.code.text, refusal.description)
    case ComposerError.commandFailed(_, let failure): self.init("commandFailed", failure.sentence)
    case ComposerError.notRecorded(let error): self.init(error)
    case let error as PressError: self.init(caseName(error) ?? "notPressed", error.description)
    default: return nil
    }
  }
}

extension Refusal {
  fileprivate var name: String {
    switch self {
    case .notAdministrator: "notAdministrator"
    case .oneself: "oneself"
    case .emptyMessage: "emptyMessage"
    case .zeroScore: "zeroScore"
    default: caseName(self) ?? "refused"
    }
  }
}

/// Returns the case name of an enumeration value with an associated value.
private func caseName(_ value: some Error) -> String? { Mirror(reflecting: value).children.first?.label }
