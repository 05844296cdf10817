// Every slot is drawn by default, and can be replaced without any other.
import ChatRendering
import TerminalRendering
import Testing

/// A slot: what its default shows, and in which of all that is drawn.
struct Slot: CustomTestStringConvertible, Sendable {
  let factory: any ReplacingText.Type
  /// What is there by default; nil for a slot that shows nothing.
  let shows: String?
  let places: Set<String>

  init(_ factory: any ReplacingText.Type, _ shows: String?, _ places: Set<String>) {
    (self.factory, self.shows, self.places) = (factory, shows, places)
  }

  var testDescription: String { "\(factory)" }

  private static let others: Set = [
    "m:full", "m:jumbo", "m:image", "m:media", "m:file", "m:link", "m:giphy", "m:attached", "m:deleted", "m:custom",
    "m:next", "m:parent",
  ]
  private static let own: Set = ["m:own", "m:failed", "m:ephemeral"]
  private static let lists: Set = Set(ListItem.all().map(\.kind.rawValue))
  private static let words: Set = [
    "m:full", "m:own", "m:failed", "m:jumbo", "m:media", "m:link", "m:next", "m:parent", "m:reply",
  ]
  private static let bubbles = others.union(own).union(["m:reply"])

  static let all: [Slot] = [
    Slot(ReplacedComposer.self, "> w▏ords", ["composer", "commands", "emoji"]),
    Slot(ReplacedComposerModifier.self, "> w▏ords", ["composer", "commands", "emoji"]),
    Slot(ReplacedComposerNotice.self, "! words", ["composer", "commands", "emoji"]),
    Slot(ReplacedLeadingComposer.self, "[Attach] [Commands]", ["composer", "commands", "emoji"]),
    Slot(ReplacedComposerInput.self, "> w▏ords", ["composer", "commands", "emoji"]),
    Slot(ReplacedTrailingComposer.self, "[Send] 7 s", ["composer", "commands", "emoji"]),
    Slot(ReplacedAttachmentPicker.self, "▸ [Files]", ["composer", "commands", "emoji", "picker"]),
    Slot(ReplacedCustomPicker.self, "[words]", ["picker"]),
    Slot(ReplacedPickerSource.self, "▸ [Files]", ["composer", "commands", "emoji", "picker"]),
    Slot(ReplacedCommandsContainer.self, "  ! The suggestions could", ["composer", "commands", "emoji"]),
    Slot(ReplacedUserSuggestion.self, "  @ words  words", ["composer"]),
    Slot(ReplacedCommandSuggestion.self, "  / words  words", ["commands"]),
    Slot(ReplacedCustomSuggestion.self, "  words  words", ["emoji"]),
    Slot(ReplacedQuotedMessage.self, "↩ [×] │ words: words", ["composer", "commands", "emoji"]),
    Slot(ReplacedEditBanner.self, "✎ [×] │ words: words", ["composer", "commands", "emoji"]),
    Slot(ReplacedInputAttachment.self, "[words 42 %] ×", ["composer", "commands", "emoji"]),
    Slot(ReplacedCustomAttachment.self, "[words ✗ words] ×", ["composer", "commands", "emoji"]),
    Slot(ReplacedChannelListItem.self, "words (3 @1)  ann: words", ["channel", "channels"]),
    Slot(ReplacedThreadListItem.self, "↳ words  ann: words", ["thread item"]),
    Slot(ReplacedDraftListItem.self, "Draft: words", ["draft"]),
    Slot(ReplacedListItem.self, "[Claim] [Resolve] [Dismiss]", lists),
    Slot(ReplacedItemList.self, "words (3 @1)  ann: words", lists.union(["channels", "no threads"])),
    Slot(ReplacedEmptyItemList.self, "No threads yet", ["no threads"]),
    Slot(ReplacedLoadMore.self, "[↓ Load more]", ["channels"]),
    Slot(ReplacedMessageList.self, "Loading …", ["list", "empty list"]),
    Slot(ReplacedInputBar.self, "> words  [Send]", ["list"]),
    Slot(ReplacedEmptyList.self, "No messages yet", ["empty list"]),
    Slot(ReplacedLoading.self, "Loading …", ["list"]),
    Slot(ReplacedMessageRow.self, "│ Me: quoted words", bubbles.union(["m:system"])),
    Slot(ReplacedMessageHeader.self, "Ann", bubbles),
    Slot(ReplacedTimestamp.self, "1970-01-01 00:00", bubbles),
    Slot(ReplacedStatus.self, " · edited", bubbles),
    Slot(ReplacedQuote.self, "│ Me: quoted words", ["m:full"]),
    Slot(ReplacedReactions.self, "[👍 2] [🎉 1 ✓]", ["m:full"]),
    Slot(ReplacedPoll.self, "(•) words · 2 votes", ["m:full"]),
    Slot(ReplacedThreadLine.self, "↳ 3 replies · 1 unread message · Draft", ["m:full", "m:parent"]),
    Slot(ReplacedJumboEmojiBubble.self, "  😀", ["m:jumbo"]),
    Slot(ReplacedImageBubble.self, "https://example.org/i.png", ["m:image"]),
    Slot(ReplacedMediaBubble.self, "[Picture: words, 1200×800, 2.1 MB]", ["m:media"]),
    Slot(ReplacedFileBubble.self, "[File: words]", ["m:file", "m:attached"]),
    Slot(ReplacedLinkBubble.self, "[Link: words]", ["m:link"]),
    Slot(ReplacedGiphyBubble.self, "[GIF: words]", ["m:giphy"]),
    Slot(ReplacedEphemeralBubble.self, "[GIF: words]", ["m:ephemeral"]),
    Slot(ReplacedSystemMessage.self, "words joined", ["m:system"]),
    Slot(ReplacedDeletedMessage.self, "⊘ Message deleted", ["m:deleted"]),
    Slot(ReplacedCustomItem.self, "! No renderer for messages of the kind 'poll'", ["m:custom"]),
    Slot(ReplacedImagePlaceholder.self, "[Picture: words]", ["m:image"]),
    Slot(ReplacedDateSeparator.self, "─ 1970-01-01 ─", ["d:1970-01-01", "d:1970-01-02"]),
    Slot(ReplacedUnreadSeparator.self, "─ 1 unread message ─", ["unread"]),
    Slot(ReplacedThreadSeparator.self, "─ 1 reply ─", ["thread"]),
    Slot(ReplacedConversationStart.self, "This is where the conversation begins", ["start"]),
    Slot(ReplacedLoadOlder.self, "[↑ Load earlier messages]", ["older"]),
    Slot(ReplacedLoadNewer.self, "[↓ Load later messages]", ["newer"]),
    Slot(ReplacedTyping.self, "bo is typing …", ["typing:bo"]),
    Slot(ReplacedNotice.self, "! 1 message of people you muted", ["m:muted", "m:bo's"]),
    Slot(ReplacedTextBubble.self, "\n   words\n", words),
    Slot(ReplacedMessageFooter.self, nil, bubbles),
    Slot(ReplacedAvatar.self, nil, bubbles),
    Slot(ReplacedContextMenu.self, nil, bubbles.subtracting(["m:deleted", "m:ephemeral"])),
  ]
}

@Test(arguments: Slot.all) func `a slot that is replaced changes nothing but itself`(slot: Slot) throws {
  let plain = Untouched().drawAll().mapValues { $0.text(columns: 60, hasColors: false) }
  let replaced = slot.factory.init().drawAll().mapValues { $0.text(columns: 60, hasColors: false) }
  #expect(plain.keys == replaced.keys)
  let changed = Set(plain.keys.filter { plain[$0] != replaced[$0] })
  #expect(changed == slot.places)
  for place in slot.places {
    let (before, after) = (try #require(plain[place]), try #require(replaced[place]))
    #expect(after.contains("«»"))
    let kept = after.split(separator: "\n").filter { !$0.contains("«»") }
    let lines = Set(before.split(separator: "\n"))
    #expect(kept.allSatisfy { lines.contains($0) }, "\(after)")
  }
  if let shows = slot.shows {
    #expect(slot.places.contains { plain[$0]!.contains(shows) && !replaced[$0]!.contains(shows) })
  }
}
