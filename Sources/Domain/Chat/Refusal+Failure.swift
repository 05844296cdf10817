// The recorded form of refusals: their code and values, from which they are rebuilt.

extension Refusal: CodedError {
  /// The code of every refusal: `refused`.
  public var code: RecordedFailure.Code { Self.code }

  private static let code: RecordedFailure.Code = "refused"

  /// The name of the refusal under `refusal`, and its associated values.
  public var values: Extra {
    let (name, values) = userValues ?? channelValues ?? messageValues ?? otherValues
    return values.adding(["refusal": .text(name)])
  }

  /// Creates the refusal recorded as a failure; nil if the failure is none.
  public init?(_ failure: RecordedFailure) {
    guard failure.code == Self.code, let name = failure.values.text("refusal")?.string else { return nil }
    let values = failure.values
    let refusal =
      Self.ofUser(name, values) ?? Self.ofChannel(name, values) ?? Self.ofMessage(name, values)
      ?? Self.ofOther(name, values)
    guard let refusal else { return nil }
    self = refusal
  }
}

// MARK: Users, members and rights

extension Refusal {
  private var userValues: (UserText, Extra)? {
    switch self {
    case .unknownUser(let id): ("unknownUser", ["user": .id(id)])
    case .userExists(let id): ("userExists", ["user": .id(id)])
    case .reservedUser(let id): ("reservedUser", ["user": .id(id)])
    case .userDeactivated(let id): ("userDeactivated", ["user": .id(id)])
    case .notAdministrator: ("notAdministrator", [:])
    case .notYours(let id): ("notYours", ["user": .id(id)])
    case .oneself: ("oneself", [:])
    case .notMember(let key): ("notMember", key.values)
    case .memberExists(let key): ("memberExists", key.values)
    case .notInvited(let key): ("notInvited", key.values)
    case .blocked(let user): ("blocked", ["user": .id(user)])
    case .blocking(let user): ("blocking", ["user": .id(user)])
    case .notAllowed(let capability, let channel):
      ("notAllowed", ["capability": .option(capability), "channel": .id(channel)])
    case .banned(let ban): ("banned", ban.values)
    case .outranked(let user): ("outranked", ["user": .id(user)])
    case .roleTooHigh(let role): ("roleTooHigh", ["role": .id(role)])
    case .unknownRole(let role): ("unknownRole", ["role": .id(role)])
    default: nil
    }
  }

  private static func ofUser(_ name: String, _ values: Extra) -> Refusal? {
    switch name {
    case "unknownUser": values.id("user").map { .unknownUser($0) }
    case "userExists": values.id("user").map { .userExists($0) }
    case "reservedUser": values.id("user").map { .reservedUser($0) }
    case "userDeactivated": values.id("user").map { .userDeactivated($0) }
    case "notAdministrator": .notAdministrator
    case "notYours": values.id("user").map { .notYours($0) }
    case "oneself": .oneself
    case "notMember": values.member.map { .notMember($0) }
    case "memberExists": values.member.map { .memberExists($0) }
    case "notInvited": values.member.map { .notInvited($0) }
    case "blocked": values.id("user").map { .blocked(by: $0) }
    case "blocking": values.id("user").map { .blocking($0) }
    case "notAllowed":
      values.id("channel").flatMap { id in values.option("capability").map { .notAllowed($0, in: id) } }
    case "banned": Ban(values).map { .banned($0) }
    case "outranked": values.id("user").map { .outranked(by: $0) }
    case "roleTooHigh": values.id("role").map { .roleTooHigh($0) }
    case "unknownRole": values.id("role").map { .unknownRole($0) }
    default: nil
    }
  }
}

// MARK: Channels

extension Refusal {
  private var channelValues: (UserText, Extra)? {
    switch self {
    case .unknownChannel(let id): ("unknownChannel", ["channel": .id(id)])
    case .channelExists(let id): ("channelExists", ["channel": .id(id)])
    case .channelDeleted(let id): ("channelDeleted", ["channel": .id(id)])
    case .channelFrozen(let id): ("channelFrozen", ["channel": .id(id)])
    case .off(let flag, let channel): ("off", ["channel": .id(channel), "flag": .option(flag)])
    case .coolingDown(let end): ("coolingDown", ["until": .instant(end)])
    case .directChannel(let id): ("directChannel", ["channel": .id(id)])
    case .otherMembers(let id): ("otherMembers", ["channel": .id(id)])
    default: nil
    }
  }

  private static func ofChannel(_ name: String, _ values: Extra) -> Refusal? {
    switch name {
    case "unknownChannel": values.id("channel").map { .unknownChannel($0) }
    case "channelExists": values.id("channel").map { .channelExists($0) }
    case "channelDeleted": values.id("channel").map { .channelDeleted($0) }
    case "channelFrozen": values.id("channel").map { .channelFrozen($0) }
    case "off": values.id("channel").flatMap { id in values.option("flag").map { .off($0, in: id) } }
    case "coolingDown": values.instant("until").map { .coolingDown(until: $0) }
    case "directChannel": values.id("channel").map { .directChannel($0) }
    case "otherMembers": values.id("channel").map { .otherMembers($0) }
    default: nil
    }
  }
}

// MARK: Messages

extension Refusal {
  private var messageValues: (UserText, Extra)? {
    switch self {
    case .unknownMessage(let key): ("unknownMessage", key.values)
    case .messageExists(let key): ("messageExists", key.values)
    case .clientIDTaken(let id, let key): ("clientIDTaken", key.values.adding(["client": .id(id)]))
    case .messageDeleted(let key): ("messageDeleted", key.values)
    case .messageIsEphemeral(let key): ("messageIsEphemeral", key.values)
    case .messageIsForwarded(let key): ("messageIsForwarded", key.values)
    case .notEphemeral(let key): ("notEphemeral", key.values)
    case .notAwaited(let key, let delivery): ("notAwaited", key.values.adding(delivery.values))
    case .parentIsReply(let key): ("parentIsReply", key.values)
    case .emptyMessage: ("emptyMessage", [:])
    case .mentionMisplaced(let mention):
      (
        "mentionMisplaced",
        [
          "user": .id(mention.user), "start": .count(mention.range.lowerBound.rawValue),
          "end": .count(mention.range.upperBound.rawValue),
        ]
      )
    case .attachmentTwice(let id): ("attachmentTwice", ["attachment": .id(id)])
    case .notUploaded(let id): ("notUploaded", ["attachment": .id(id)])
    case .zeroScore: ("zeroScore", [:])
    case .notReply(let key, let parent): ("notReply", key.values.adding(["parent": .id(parent)]))
    case .pollExists(let key): ("pollExists", key.values)
    case .noPoll(let key): ("noPoll", key.values)
    case .pollClosed(let key): ("pollClosed", key.values)
    case .fewOptions(let key): ("fewOptions", key.values)
    case .optionTwice(let id): ("optionTwice", ["option": .id(id)])
    case .unknownOption(let id, let key): ("unknownOption", key.values.adding(["option": .id(id)]))
    default: nil
    }
  }

  private static func ofMessage(_ name: String, _ values: Extra) -> Refusal? {
    switch name {
    case "unknownMessage": values.message.map { .unknownMessage($0) }
    case "messageExists": values.message.map { .messageExists($0) }
    case "clientIDTaken": values.message.flatMap { key in values.id("client").map { .clientIDTaken($0, by: key) } }
    case "messageDeleted": values.message.map { .messageDeleted($0) }
    case "messageIsEphemeral": values.message.map { .messageIsEphemeral($0) }
    case "messageIsForwarded": values.message.map { .messageIsForwarded($0) }
    case "notEphemeral": values.message.map { .notEphemeral($0) }
    case "notAwaited": values.message.flatMap { key in Message.Delivery(values).map { .notAwaited(key, $0) } }
    case "parentIsReply": values.message.map { .parentIsReply($0) }
    case "emptyMessage": .emptyMessage
    case "mentionMisplaced": values.mention.map { .mentionMisplaced($0) }
    case "attachmentTwice": values.id("attachment").map { .attachmentTwice($0) }
    case "notUploaded": values.id("attachment").map { .notUploaded($0) }
    case "zeroScore": .zeroScore
    case "notReply": values.message.flatMap { key in values.id("parent").map { .notReply(key, to: $0) } }
    case "pollExists": values.message.map { .pollExists($0) }
    case "noPoll": values.message.map { .noPoll($0) }
    case "pollClosed": values.message.map { .pollClosed($0) }
    case "fewOptions": values.message.map { .fewOptions($0) }
    case "optionTwice": values.id("option").map { .optionTwice($0) }
    case "unknownOption": values.message.flatMap { key in values.id("option").map { .unknownOption($0, in: key) } }
    default: nil
    }
  }
}

// MARK: Limits, composers and apps

extension Refusal {
  private var otherValues: (UserText, Extra) {
    switch self {
    case .alreadyOver(let end): ("alreadyOver", ["until": .instant(end)])
    case .tooLarge(let limit, let count, let max):
      ("tooLarge", limit.values.adding(["count": .count(count), "max": .count(max)]))
    case .notComposable(let key): ("notComposable", key.values)
    case .otherDevice(let id): ("otherDevice", ["device": .id(id)])
    case .commandRuns(let id): ("commandRuns", ["execution": .id(id)])
    case .commandEnded(let id): ("commandEnded", ["execution": .id(id)])
    case .unknownConsumer(let id): ("unknownConsumer", ["consumer": .id(id)])
    case .noFlags(let target): ("noFlags", target.values)
    case .claimed(let author): ("claimed", author.values)
    case .zeroVersion(let name): ("zeroVersion", ["event": .id(name)])
    case .reservedAppEvent(let name): ("reservedAppEvent", ["event": .id(name)])
    default: preconditionFailure("the refusal \(self) has no recorded form")
    }
  }

  private static func ofOther(_ name: String, _ values: Extra) -> Refusal? {
    switch name {
    case "alreadyOver": return values.instant("until").map { .alreadyOver($0) }
    case "tooLarge":
      guard let limit = Limit(values), let count = values.count("count"), let max = values.count("max") else {
        return nil
      }
      return .tooLarge(limit, count: count, max: max)
    case "notComposable": return values.composer.map { .notComposable($0) }
    case "otherDevice": return values.id("device").map { .otherDevice($0) }
    case "commandRuns": return values.id("execution").map { .commandRuns($0) }
    case "commandEnded": return values.id("execution").map { .commandEnded($0) }
    case "noFlags": return Flag.Target(values).map { .noFlags($0) }
    case "claimed":
      return .claimed(by: values.id("user").map { .user($0, on: values.id("device")) } ?? .system)
    case "unknownConsumer": return values.id("consumer").map { .unknownConsumer($0) }
    case "zeroVersion": return values.id("event").map { .zeroVersion($0) }
    case "reservedAppEvent": return values.id("event").map { .reservedAppEvent($0) }
    default: return nil
    }
  }
}

// MARK: Parts

extension Flag.Target {
  fileprivate var values: Extra {
    switch self {
    case .message(let key): key.values
    case .user(let id): ["user": .id(id)]
    }
  }

  fileprivate init?(_ values: Extra) {
    if let message = values.message {
      self = .message(message)
    } else if let user: User.ID = values.id("user") {
      self = .user(user)
    } else {
      return nil
    }
  }
}

extension Author {
  fileprivate var values: Extra {
    var values: Extra = [:]
    values["user"] = user.map { .id($0) }
    values["device"] = device.map { .id($0) }
    return values
  }
}

extension Member.Key {
  fileprivate var values: Extra { ["channel": .id(channel), "user": .id(user)] }
}

extension Message.Key {
  fileprivate var values: Extra { ["channel": .id(channel), "message": .id(id)] }
}

extension Composer.Key {
  fileprivate var values: Extra {
    var values: Extra = ["user": .id(user), "device": .id(device), "channel": .id(channel)]
    values["thread"] = thread.map { .id($0) }
    return values
  }
}

extension Extra {
  fileprivate var member: Member.Key? { id("channel").flatMap { id in self.id("user").map { Member.Key(id, $0) } } }

  fileprivate var message: Message.Key? {
    id("channel").flatMap { id in self.id("message").map { Message.Key(id, $0) } }
  }

  fileprivate var composer: Composer.Key? {
    guard let user: User.ID = id("user"), let device: Device.ID = id("device"), let channel: Channel.ID = id("channel")
    else { return nil }
    return Composer.Key(of: user, on: device, in: channel, thread: id("thread"))
  }

  fileprivate var mention: Mention? {
    guard let user: User.ID = id("user"), let start = count("start"), let end = count("end"), start <= end
    else { return nil }
    return Mention(user, at: UTF16Offset(rawValue: start)..<UTF16Offset(rawValue: end))
  }
}

extension Ban {
  /// Without the reason: the words of the author of the ban, which no event of another user repeats.
  fileprivate var values: Extra {
    var values: Extra = ["user": .id(key.user), "since": .instant(since)]
    if case .channel(let id) = key.scope { values["channel"] = .id(id) }
    values["by"] = by.user.map { .id($0) }
    values["device"] = by.device.map { .id($0) }
    values["until"] = term.end.map { .instant($0) }
    return values
  }

  fileprivate init?(_ values: Extra) {
    guard let user: User.ID = values.id("user"), let since = values.instant("since") else { return nil }
    self.init(
      key: Key(of: user, from: values.id("channel").map { .channel($0) } ?? .everywhere),
      by: values.id("by").map { .user($0, on: values.id("device")) } ?? .system, since: since,
      term: Expiry(until: values.instant("until")), reason: values.text("reason"))
  }
}

extension Message.Delivery {
  fileprivate var values: Extra {
    switch self {
    case .settled: ["delivery": "settled"]
    case .pending: ["delivery": "pending"]
    case .failed(let reason): ["delivery": "failed", "reason": .text(reason)]
    }
  }

  fileprivate init?(_ values: Extra) {
    switch (values.text("delivery"), values.text("reason")) {
    case ("settled", _): self = .settled
    case ("pending", _): self = .pending
    case ("failed", let reason?): self = .failed(reason: reason)
    default: return nil
    }
  }
}

extension Refusal.Limit {
  /// The limits without associated values, by name.
  private static let named: [(name: UserText, limit: Refusal.Limit)] = [
    ("messageLength", .messageLength), ("textByteCount", .textByteCount), ("extraByteCount", .extraByteCount),
    ("extraDepth", .extraDepth), ("membersPerAdd", .membersPerAdd), ("nameLength", .nameLength),
    ("lineByteCount", .lineByteCount), ("attachments", .attachments), ("attachmentByteCount", .attachmentByteCount),
    ("mentions", .mentions), ("reactionKinds", .reactionKinds),
    ("pollOptions", .pollOptions), ("votes", .votes), ("compositionByteCount", .compositionByteCount),
    ("payloadByteCount", .payloadByteCount),
  ]

  fileprivate var values: Extra {
    if case .uploadByteCount(let id) = self { return ["limit": "uploadByteCount", "attachment": .id(id)] }
    guard let name = Self.named.first(where: { $0.limit == self })?.name else {
      preconditionFailure("the limit \(self) has no recorded form")
    }
    return ["limit": .text(name)]
  }

  fileprivate init?(_ values: Extra) {
    let name = values.text("limit")
    if name == "uploadByteCount", let id: Attachment.ID = values.id("attachment") {
      self = .uploadByteCount(id)
    } else if let limit = Self.named.first(where: { $0.name == name })?.limit {
      self = limit
    } else {
      return nil
    }
  }
}
