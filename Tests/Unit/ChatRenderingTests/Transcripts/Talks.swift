// What people talk about in transcripts: each conversation shows a part of what a chat can.
import Chat
import ChatMessageList
import ChatRendering

let talks = [
  days, unread, thread, answers, attached, told, polls, collapsed, hidden, scripts, edges, empty, hostileTalk,
]

// MARK: Days and groups

/// Two people over several days, in groups with gaps, and how far one's own messages came.
private let days = Talk(
  "days", "Leo Okafor",
  [
    said("1", by: "leo", at: on(19, 17, 2), "Are you at the harbour on Sunday?"),
    said("2", by: "leo", at: on(19, 17, 3), "The boat leaves at ten."),
    said("3", by: "leo", at: on(19, 17, 4, 30), "Bring a jacket: it is cold out there."),
    said("4", by: "mia", at: on(19, 17, 40), "I am. Ten is early, though.") { $0.details.delivery = .read(1) },
    said("5", by: "leo", at: on(20, 8, 15), "Half past, then."),
    said("6", by: "leo", at: on(20, 8, 45), "I asked: half past it is."),
    said("7", by: "mia", at: on(20, 9, 0), "Lovely.") { $0.details.delivery = .read(1) },
    said(
      "8", by: "mia", at: on(20, 9, 1),
      "I will bring coffee, and something to eat for the three of us, if Ada still wants to come along."
    ) { $0.details.delivery = .read(1) },
    said("9", by: "mia", at: on(20, 9, 8), "Does she?") { $0.details.delivery = .delivered },
    said("10", by: "mia", at: on(22, 7, 30), "Good morning!") { $0.details.delivery = .sent },
  ]
) { ($0.isForReading, $0.hasColors) = (true, true) }

/// What was not read, who types, what is on its way and what is not.
private let unread = Talk(
  "unread", "Sunday trips",
  [
    said("1", by: "mia", at: on(21, 20, 0), "I have the tickets."),
    said("2", by: "ada", at: on(21, 20, 5), "Thank you so much!"),
    said("3", by: "ada", at: on(22, 8, 58), "Who has the keys to the shed?"),
    said("4", by: "ada", at: on(22, 8, 59), "@Mia Berg, you?") {
      $0.message.content.mentions = [Mention("mia", at: 0..<9)]
    },
    said("5", by: "zoe", at: on(22, 9, 0), "Not me."),
    said("6", by: "mia", at: on(22, 9, 4), "They hang behind the door.") { $0.details.delivery = .delivered },
    said("7", by: "mia", at: on(22, 9, 5), "The blue ones.") {
      $0.details.delivery = .failed(reason: "there is no network")
    },
    said("8", by: "mia", at: on(22, 9, 5, 20), "I am on my way.") { $0.details.delivery = .pending },
  ]
) {
  ($0.unread, $0.typing, $0.hasOlder) = (("3", 3), ["ada", "leo"], true)
  $0.input = "Is anybody"
}

/// A thread with what it is about, replies that stand in the channel too, and older replies to load.
private let thread = Talk(
  "thread", "Thread",
  [
    said("1", by: "zoe", at: on(20, 11, 0), "Where do we eat afterwards? I would like something with a view."),
    reply("2", by: "ada", at: on(21, 12, 0), "The lighthouse has a kitchen now."),
    reply("3", by: "mia", at: on(21, 12, 2), "I booked a table there for seven.") {
      $0.message.content.showsInChannel = true
    },
    reply("4", by: "zoe", at: on(22, 8, 0), "Perfect."),
  ]
) { ($0.thread, $0.hasOlder, $0.typing) = ("1", true, ["zoe"]) }

private func reply(
  _ id: Message.ID, by author: User.ID, at sent: Timestamp, _ text: UserText,
  _ change: (inout Telling) -> Void = { _ in }
) -> ChatMessage {
  said(id, by: author, at: sent, text) {
    ($0.message.content.parent, $0.details.isInThread) = ("1", true)
    change(&$0)
  }
}

// MARK: Answers

/// Reactions, quotes, threads, and what stands out or was edited.
private let answers = Talk(
  "answers", "Garden",
  [
    said("1", by: "ada", at: on(22, 10, 0), "The apple tree needs cutting.") {
      $0.details.isPinned = true
      $0.message.reactions = [total("like", 3), total("apple", 1)]
      $0.details.ownReactions = ["like"]
    },
    said("2", by: "leo", at: on(22, 10, 1), "I can do it on Friday.") {
      $0.message.edited = on(22, 10, 3)
      $0.message.content.quoted = "1"
      $0.details.quote = MessageQuote("1", by: sender("ada"), text: "The apple tree needs cutting.")
    },
    said("3", by: "mia", at: on(22, 10, 20), "Take the long ladder.") {
      $0.details.quote = MessageQuote("2", by: sender("leo"), text: "I can do it on Friday.")
      $0.message.edited = on(22, 10, 22)
      $0.message.reactions = [total("haha", 1)]
    },
    said("4", by: "zoe", at: on(22, 10, 30), "What was that about the ladder?") {
      $0.details.quote = MessageQuote("gone", by: sender("ada"), state: .deleted)
    },
    said("5", by: "zoe", at: on(22, 10, 31), "And this, from last year?") {
      $0.details.quote = MessageQuote("elsewhere", state: .notLoaded)
    },
    said("6", by: "ada", at: on(22, 10, 40), "Who waters the tomatoes next week?") {
      $0.message.replyCount = 4
      $0.details.thread = MessageThread(
        replyCount: 4, participants: ["leo", "zoe", "mia"].map(sender), unread: 2, hasDraft: true)
    },
    said("7", by: "leo", at: on(22, 10, 50), "I do, until Wednesday.") {
      ($0.message.content.parent, $0.message.content.showsInChannel) = ("6", true)
      $0.details.thread = MessageThread(replyCount: 0, alsoInChannel: true)
    },
    said("8", by: "mia", at: on(22, 11, 0), "And me from Thursday on.") {
      ($0.details.isPinned, $0.message.pin) = (true, nil)
      $0.message.reactions = [total("love", 12), total("wow", 2), total("thanks", 1)]
      $0.details.ownReactions = ["thanks"]
      $0.details.thread = MessageThread(replyCount: 1, participants: [sender("ada")])
    },
  ]
) { $0.hasColors = true }

private func total(_ kind: Reaction.Kind, _ count: UInt32) -> Message.Total {
  Message.Total(kind: kind, count: count, score: UInt64(count))
}
