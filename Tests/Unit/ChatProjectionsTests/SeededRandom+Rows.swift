// Random rows of the state, whether or not any events lead to them.
import Chat
import ChatSamples
import ChatProjections
import SeededRandom
import Tables

/// A row with its stored key and value.
struct StoredSample {
  let name: String
  var key: [UInt8]
  var value: [UInt8]
  /// Decodes a key and a value, and returns them encoded again; nil when they are invalid.
  let rewrite: (_ key: [UInt8], _ value: [UInt8]) -> (key: [UInt8], value: [UInt8])?
}

extension SeededRandom {
  mutating func user() -> User {
    User(
      id: id(), profile: userProfile(), role: id(), isDeactivated: bool(), created: instant(), changed: instant())
  }

  mutating func device() -> Device { Device(key: Device.Key(id(), id()), info: deviceInfo(), added: instant()) }

  mutating func mute() -> Mute {
    let key = Mute.Key(by: id(), of: bool() ? .user(id()) : .channel(id()))
    return Mute(key: key, since: instant(), term: term())
  }

  mutating func ban() -> Ban {
    let key = Ban.Key(of: id(), from: bool() ? .everywhere : .channel(id()))
    return Ban(key: key, by: actor(), since: instant(), term: term(), reason: maybe { $0.userText() })
  }

  mutating func flag() -> Flag {
    let key = Flag.Key(by: id(), on: bool() ? .user(id()) : .message(Message.Key(id(), id())))
    return Flag(key: key, reason: maybe { $0.userText() }, raised: instant(), round: number32())
  }

  mutating func consumer() -> Consumer {
    Consumer(id: id(), owner: maybe { $0.id() }, began: instant(), handled: number(), advanced: instant())
  }

  mutating func channel() -> Channel {
    var channel = Channel(
      id: id(), kind: id(), profile: channelProfile(), config: channelConfig(), creator: actor(), created: instant(),
      changed: instant())
    (channel.isFrozen, channel.deleted, channel.memberCount) = (bool(), maybe { $0.instant() }, number32())
    (channel.newest, channel.newestForAll, channel.truncated) = (messageNumber(), messageNumber(), messageNumber())
    channel.participants = list { $0.id() }
    return channel
  }

  mutating func member() -> Member {
    var member = Member(
      key: Member.Key(id(), id()), role: id(), joined: instant(), lastSent: maybe { $0.instant() },
      read: messageNumber(), readAt: instant(), received: messageNumber())
    (member.isMember, member.hidden) = (bool(), maybe { $0.messageNumber() })
    (member.pinned, member.archived) = (maybe { $0.instant() }, maybe { $0.instant() })
    member.invitation = maybe {
      Member.Invitation(by: $0.actor(), at: $0.instant(), as: $0.id(), declined: $0.maybe { $0.instant() })
    }
    return member
  }

  mutating func message() -> Message {
    var message = Message(
      key: Message.Key(id(), id()), author: maybe { $0.id() }, content: content(), number: messageNumber(),
      sent: instant(), delivery: pick([.settled, .pending, .failed(reason: userText())]))
    (message.edited, message.editCount, message.replyCount) = (maybe { $0.instant() }, number32(), number32())
    message.presence = pick([.present, .deleted(stamp()), .gone])
    message.pin = maybe { Message.Pin(stamp: $0.stamp(), term: $0.term()) }
    message.reactions = list { Message.Total(kind: $0.id(), count: $0.number32(), score: $0.number()) }
    message.poll = maybe { random in
      Poll(
        options: random.list { Poll.Option($0.id(), $0.userText(), votes: $0.number32()) }, rules: random.pollRules(),
        closed: random.maybe { $0.stamp() })
    }
    return message
  }

  mutating func reaction() -> Reaction {
    Reaction(
      key: Reaction.Key(to: Message.Key(id(), id()), by: id()),
      scores: list { Reaction.Score(kind: $0.id(), score: $0.number32(), at: $0.instant()) })
  }

  mutating func draft() -> Draft {
    Draft(
      key: Draft.Key(by: id(), in: id(), thread: maybe { $0.id() }), content: maybe { $0.composition() },
      created: instant(), updated: instant(), edit: edit())
  }

  mutating func composer() -> Composer {
    var composer = Composer(Composer.Key(of: id(), on: id(), in: id(), thread: maybe { $0.id() }))
    (composer.state, composer.asideState) = (pick([.new, .edit, .quote, id()]), pick([.new, .quote, id()]))
    (composer.content, composer.aside, composer.selection) = (composition(), maybe { $0.composition() }, range())
    (composer.editing, composer.execution) = (maybe { $0.id() }, maybe { $0.execution() })
    composer.picker = pick([
      .collapsed, .expanded(.none), .expanded(.media), .expanded(.giphy), .expanded(.custom(id())),
    ])
    (composer.showsCommands, composer.isTouched, composer.isOpen) = (bool(), bool(), bool())
    composer.typed = maybe { $0.instant() }
    return composer
  }

  mutating func block() -> UserBlock { UserBlock(key: UserBlock.Key(by: id(), of: id()), since: instant()) }

  mutating func review() -> Review {
    Review(
      of: bool() ? .user(id()) : .message(Message.Key(id(), id())), flagCount: number32(), opened: instant(),
      claim: maybe { $0.stamp() },
      decisions: list {
        Review.Decision($0.id(), note: $0.maybe { $0.userText() }, $0.stamp(), flagCount: $0.number32())
      })
  }

  mutating func savedMessage() -> SavedMessage {
    SavedMessage(
      key: SavedMessage.Key(by: id(), Message.Key(id(), id())), saved: instant(), note: maybe { $0.userText() },
      remindAt: maybe { $0.instant() }, reminded: maybe { $0.instant() })
  }

  mutating func scheduledMessage() -> ScheduledMessage {
    ScheduledMessage(
      key: ScheduledMessage.Key(by: id(), Message.Key(id(), id())), content: content(), at: instant(),
      failure: maybe { RecordedFailure($0.id(), $0.extra()) })
  }

  mutating func threadMarker() -> ThreadMarker {
    ThreadMarker(
      key: ThreadMarker.Key(of: id(), in: Message.Key(id(), id())), read: messageNumber(), readAt: instant())
  }

  mutating func vote() -> Vote {
    Vote(key: Vote.Key(in: Message.Key(id(), id()), by: id()), options: list { $0.id() }, at: instant())
  }

  mutating func messageNumber() -> Message.Number { Message.Number(rawValue: number()) }
}
