// The text of a live composer as plain values, for the bindings of a text view.
package import Chat

extension LiveComposer {
  /// The typed text, for a text view to show and to set; a set is recorded as the smallest change.
  ///
  /// A set that is refused changes nothing, and ``notice`` says why; ``perform(_:)`` throws in that case.
  public var text: String {
    get { reducer.content.text.userText.string }
    set { performSet(.setText(newValue)) }
  }

  /// The location of the caret, or the start of the selected text, in UTF-16 units; for a text view to show and to set.
  public var selectedRangeLocation: Int {
    get { composer.selection.lowerBound.rawValue }
    set { performSet(.moveSelection(newValue..<newValue)) }
  }

  private func performSet(_ action: Composer.Action) {
    do throws(ComposerError) { try perform(action) } catch { notice = .refused(UserText("\(error)")) }
  }

  /// The typed text, in UTF-16 units.
  package var typedText: TypedText { reducer.content.text }

  /// The display texts and the arrangement, to be changed at any time.
  public var appearance: ComposerAppearance {
    get { reducer.options.appearance }
    set { reducer.options.appearance = newValue }
  }
}
