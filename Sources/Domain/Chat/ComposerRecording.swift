// The amount of unsent content that is recorded.

/// The amount of a composer's unsent content that is recorded in the log.
///
/// What is sent is recorded in any case, and so are drafts, executed commands and an app's own composer events.
public enum ComposerRecording: String, Hashable, Sendable, CaseIterable {
  /// Each change, within 20 milliseconds: every letter, also those that were deleted again.
  case keystrokes
  /// The text when typing pauses, or before any other action: not what was typed and deleted in between.
  case pauses
  /// No unsent content but drafts, which are also saved when typing pauses.
  case drafts

  /// The time without a change of the text after which typing pauses.
  public static let pause = Microseconds.seconds(2)
}
