// Conversations that show what a message can hold: attachments, what the app says, and what is gone.
import Chat
import ChatMessageList
import ChatRendering

/// Attachments of every kind, with words and without.
let attached = Talk(
  "attachments", "Pictures and files",
  [
    said("1", by: "leo", at: on(22, 9, 0)) { $0.message.content.attachments = [hill] },
    said("2", by: "leo", at: on(22, 9, 10), "And from the other side:") {
      $0.message.content.attachments = [hill, film]
    },
    said("3", by: "ada", at: on(22, 9, 20)) { $0.message.content.attachments = [report, tape] },
    said("4", by: "mia", at: on(22, 9, 30), "The list, with what each of us brings.") {
      $0.message.content.attachments = [report]
    },
    said("5", by: "ada", at: on(22, 9, 40), "We could walk here: https://example.org/walks?from=harbour") {
      $0.message.content.attachments = [walks]
    },
    said("6", by: "zoe", at: on(22, 9, 50)) { $0.message.content.attachments = [wave] },
    said("7", by: "mia", at: on(22, 10, 0)) { $0.message.content.attachments = [wave] },
    said("8", by: "leo", at: on(22, 10, 10), "We meet here.") {
      $0.message.content.attachments = [Attachment("place", .custom("map", payload: [1]), title: "The old pier")]
    },
    said("9", by: "mia", at: on(22, 10, 20), "/giphy hello") {
      $0.message.content.kind = .ephemeral
      $0.message.content.attachments = [wave]
      $0.details.delivery = nil
    },
  ])

private let hill = Attachment(
  "hill", .image, at: .url("https://example.org/hill.jpg"), title: "hill.jpg", summary: "A green hill by the sea",
  byteCount: 2_100_000, size: Attachment.Size(width: 1200, height: 800))
private let film = Attachment(
  "film", .video, at: .url("https://example.org/waves.mp4"), title: "waves.mp4", byteCount: 48_300_000,
  duration: .seconds(187))
private let report = Attachment(
  "list", .file, at: .url("https://example.org/list.pdf"), title: "Packing list.pdf", byteCount: 81_000)
private let tape = Attachment("tape", .audio, at: .device("tape-1"), byteCount: 640, duration: .seconds(3_725))
private let walks = Attachment(
  "walks", .link, at: .url("https://example.org/walks?from=harbour"), title: "Walks from the harbour",
  summary: "Twelve walks of two to five hours, most of them along the coast.")
private let wave = Attachment("wave", .giphy, at: .url("https://example.org/wave.gif"), title: "A cat that waves")

/// What the app says, and what was deleted.
let told = Talk(
  "told", "Book club",
  [
    said("1", by: nil, at: on(22, 9, 0), "Zoë van Dam joined"),
    said("2", by: "zoe", at: on(22, 9, 1), "Hello everybody!"),
    said("3", by: "zoe", at: on(22, 9, 2)) {
      $0.message.presence = .deleted(EventOrigin(by: .system, at: on(22, 9, 3)))
    },
    said("4", by: "zoe", at: on(22, 9, 3), "What do we read?"),
    said("5", by: nil, at: on(22, 9, 4), "Ada renamed the channel to “Book club”, and Sam left"),
    said("6", by: "mia", at: on(22, 9, 5)) {
      $0.message.presence = .deleted(EventOrigin(by: .system, at: on(22, 9, 6)))
      $0.details.thread = MessageThread(replyCount: 2, participants: [sender("zoe")])
    },
    said("7", by: "mia", at: on(22, 9, 7), "Something short, please."),
  ])

// MARK: Polls

/// Polls, a forwarded message, a recording with its waveform, and emoji as reactions.
let polls = Talk(
  "polls", "Lunch",
  [
    said("1", by: "ada", at: on(22, 9, 0), "Where do we eat?") {
      $0.message.poll = lunch()
      ($0.details.isPollOpen, $0.details.ownVotes) = (true, ["soup"])
    },
    said("2", by: "mia", at: on(22, 9, 1), "Who comes?") {
      $0.message.poll = lunch(closed: EventOrigin(by: .user("mia"), at: on(22, 9, 2)))
    },
    said("3", by: "leo", at: on(22, 9, 2), "The kitchen closes at two.") {
      $0.message.content.forwarded = Message.Forwarded(Message.Key("kitchen", "7"), by: "zoe")
      $0.details.forwardedFrom = sender("zoe")
      $0.message.reactions = [
        Message.Total(kind: "👍🏽", count: 2, score: 2), Message.Total(kind: "like", count: 1, score: 1),
      ]
      $0.details.ownReactions = ["👍🏽"]
    },
    said("4", by: "leo", at: on(22, 9, 3)) {
      var voice = Attachment(
        "voice", .audio, at: .url("https://example.org/voice.ogg"), duration: .seconds(7))
      voice.waveform = [0, 40, 90, 200, 255, 180, 120, 60, 10]
      $0.message.content.attachments = [voice]
    },
  ])

private func lunch(closed: EventOrigin? = nil) -> Poll {
  var options = [Poll.Option("pizza", "Pizza"), Poll.Option("soup", "Soup & bread")]
  (options[0].votes, options[1].votes) = (1, 3)
  return Poll(options: options, rules: Poll.Rules(), closed: closed)
}

// MARK: Muted people

/// Notices stand for what muted people say.
let collapsed = Talk("muted-collapsed", "Neighbours", noise) { $0.muting = (["sam"], .collapse) }

/// Nothing stands for what muted people say.
let hidden = Talk("muted-hidden", "Neighbours", noise) { $0.muting = (["sam"], .hide) }

private let noise = [
  said("1", by: "ada", at: on(21, 9, 0), "The lift works again."),
  said("2", by: "sam", at: on(21, 9, 1), "Finally."),
  said("3", by: "sam", at: on(21, 9, 2), "It took them a WEEK."),
  said("4", by: "sam", at: on(22, 9, 0), "And now it is broken again!"),
  said("5", by: "ada", at: on(22, 9, 1), "It is not."),
  said("6", by: "mia", at: on(22, 9, 2), "I just took it."),
]

// MARK: Edges

/// What nothing draws, earlier messages that could not be loaded, and later ones to load.
let edges = Talk(
  "edges", "Elections",
  [
    said("1", by: "ada", at: on(22, 9, 0), "Vote, please:"),
    said("2", by: "ada", at: on(22, 9, 1)) { $0.message.content.kind = .custom("ballot") },
    said("3", by: "mia", at: on(22, 9, 2), "I see nothing."),
  ]
) {
  ($0.hasOlder, $0.hasNewer, $0.olderFailed) = (true, true, true)
  ($0.isLoading, $0.renderers) = (true, [])
}

/// Nothing was said yet.
let empty = Talk("empty", "New channel", [])
