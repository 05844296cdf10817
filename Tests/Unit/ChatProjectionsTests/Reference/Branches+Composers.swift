// The branches that queries for composers, commands and drafts take.
import Chat
import ChatProjections

// MARK: Who types

extension Asking {
  mutating func countTyping(in id: Channel.ID, thread: Message.ID?, at instant: Timestamp, except: User.ID?) {
    guard let channel = reference.channel(id) else { return }
    var typing: [User.ID] = []
    for composer in reference.composers where composer.key.channel == id && composer.key.thread == thread {
      guard let typed = composer.typed else { continue }
      let age = (instant - typed).rawValue
      branches.add(.typingLater, if: age < 0)
      branches.add(.typingOverJust, if: age == 7_000_000)
      branches.add(.typingOver, if: age > 7_000_000)
      guard 0..<7_000_000 ~= age else { continue }
      if let reason = reasonNotToType(composer.key.user, in: channel, at: instant, except: except) {
        branches.add(reason)
      } else {
        typing.append(composer.key.user)
      }
    }
    for user in typing {
      branches.add(.typingYoung)
      branches.add(.typingInThread, if: thread != nil)
      branches.add(.typingTwoDevices, if: typing.count { $0 == user } > 1)
      let isOver = reference.bans.contains { $0.key.user == user && !$0.term.lasts(at: instant) }
      branches.add(.typingBanOver, if: isOver)
    }
  }

  private func reasonNotToType(
    _ user: User.ID, in channel: Channel, at instant: Timestamp, except: User.ID?
  ) -> Branch? {
    let member = reference[Member.Key(channel.id, user)]
    if channel.config.off.contains(.typingEvents) { return .typingOff }
    if user == except { return .typingExcepted }
    if member == nil { return .typingNoMember }
    if member?.isMember == false { return .typingLeft }
    if reference[user]?.isDeactivated == true { return .typingDeactivated }
    return reference.ban(of: user, in: channel.id, at: instant) == nil ? nil : .typingBanned
  }
}

// MARK: Composers and commands

extension Asking {
  mutating func countComposers(of user: User.ID) {
    for composer in reference.composers where composer.key.user == user {
      let isAside = composer.aside?.hasContent == true
      branches.add(.composerOpen, if: composer.isOpen)
      branches.add(.composerFull, if: composer.content.hasContent)
      branches.add(.composerAside, if: isAside)
      let isKept = composer.isOpen || composer.content.hasContent || isAside || composer.execution != nil
      branches.add(.composerEmpty, if: !isKept)
    }
  }

  mutating func count(_ commands: [CommandRun]) {
    for command in commands {
      switch command.end?.outcome {
      case nil: branches.add(.commandRunning)
      case .executed: branches.add(.commandExecuted)
      case .failed: branches.add(.commandFailed)
      case .interrupted: branches.add(.commandInterrupted)
      }
    }
  }
}

// MARK: Drafts

extension Asking {
  mutating func countDrafts() {
    for draft in reference.drafts { branches.add(draft.content == nil ? .draftDeleted : .draftThere) }
    for (_, event) in reference.events {
      if case .draft(_, .superseded) = event.change { branches.add(.draftSuperseded) }
      if case .draft(_, .deleted(.targetGone, _)) = event.change { branches.add(.draftTargetGone) }
    }
  }

  mutating func count(_ drafts: [DraftItem]) {
    for draft in drafts {
      guard let thread = draft.key.thread else { continue }
      branches.add(.draftInThread)
      branches.add(.draftWithParent, if: draft.parent != nil)
      let isHidden = draft.parent == nil && reference[Message.Key(draft.key.channel, thread)] != nil
      branches.add(.draftParentHidden, if: isHidden)
    }
  }
}
