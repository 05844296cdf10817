// Random events of a composer.
public import Chat
public import SeededRandom

extension SeededRandom {
  /// Returns an event of a kind; nil when the kind is not one of a composer.
  public mutating func composerEvent(of kind: EventKind) -> Composer.Event? {
    switch kind {
    case .composerOpened: .opened
    case .composerFilled: .filled(composition(), selection: range())
    case .composerTyped: .typed(splice())
    case .composerMentionPicked: .mentionPicked(id(), splice(), length: below(1000))
    case .composerReplaced: .replaced(splice(), mentions: list { $0.mention() }, selection: range())
    case .composerSelectionMoved: .selectionMoved(range())
    case .composerQuoted: .quoted(id())
    case .composerQuoteEnded: .quoteEnded
    case .composerEditBegan: .editBegan(id(), composition())
    case .composerEditEnded: .editEnded(pick(Composer.EditEnd.allCases))
    case .composerEntered: .entered(once(in: 4) ? .new : id(), keeping: some())
    case .composerPickerChanged: .pickerChanged(picker())
    case .composerShowsInChannelSet: .showsInChannelSet(bool())
    case .composerSilentSet: .silentSet(bool())
    case .composerExtraSet: .extraSet(extra())
    case .composerSendRefused: .sendRefused(RecordedFailure(id(), ["reason": .text(userText())]))
    case .composerActionRefused: .actionRefused(RecordedFailure(id(), ["reason": .text(userText())]))
    case .composerSent: .sent(id(), keeping: maybe { $0.composition() })
    case .composerCleared: .cleared(keeping: maybe { $0.composition() })
    case .composerLeft: .left(keepingContent: bool())
    case .composerCustom: .custom(id(), payload: payload())
    default: attachmentAction(of: kind) ?? commandAction(of: kind)
    }
  }

  private mutating func attachmentAction(of kind: EventKind) -> Composer.Event? {
    switch kind {
    case .composerAttached: .attached(composedAttachment())
    case .composerDetached: .detached(id())
    case .composerAttachmentChanged: .attachmentChanged(attachment())
    case .composerUploadProgressed: .uploadProgressed(id(), permille: permille())
    case .composerUploadFinished: .uploadFinished(id(), url: userText())
    case .composerUploadFailed: .uploadFailed(id(), .text(userText()))
    case .composerUploadRetried: .uploadRetried(id())
    case .composerPreviewDismissed: .previewDismissed(url: userText())
    default: nil
    }
  }

  private mutating func commandAction(of kind: EventKind) -> Composer.Event? {
    switch kind {
    case .composerCommandsShown: .commandsShown(bool())
    case .composerCommandActivated: .commandActivated(command(), maybe { $0.splice() })
    case .composerCommandTargeted: .commandTargeted(maybe { $0.id() })
    case .composerCommandCleared: .commandCleared(maybe { $0.splice() })
    case .composerCommandStarted: .commandStarted(execution())
    case .composerCommandExecuted: .commandExecuted(id())
    case .composerCommandFailed: .commandFailed(id(), .text(userText()))
    case .composerCommandInterrupted: .commandInterrupted(id())
    default: nil
    }
  }

  private mutating func picker() -> Composer.Picker {
    switch below(5) {
    case 0: .collapsed
    case 1: .expanded(.none)
    case 2: .expanded(.media)
    case 3: .expanded(.giphy)
    default: .expanded(.custom(id()))
    }
  }
}
