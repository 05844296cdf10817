// Size limits, checked by every decision that accepts content.

extension Decision {
  func check(_ count: Int, by limit: Refusal.Limit, max: Int) throws(Refusal) {
    if count > max { throw .tooLarge(limit, count: count, max: max) }
  }

  func check(_ expiry: Expiry) throws(Refusal) {
    if !expiry.lasts(at: instant), let end = expiry.end { throw .alreadyOver(end) }
  }

  func check(name: UserText) throws(Refusal) {
    try check(line: name)
    try check(name.string.count, by: .nameLength, max: rules.limits.nameLengthMax)
  }

  func check(line: UserText) throws(Refusal) {
    try check(line.byteCount, by: .lineByteCount, max: rules.limits.lineByteCountMax)
  }

  /// Throws if a failure cannot be stored: its text, or its values together, have the limit of a line.
  func check(_ failure: RecordedFailure) throws(Refusal) {
    try check(failure.byteCount, by: .lineByteCount, max: rules.limits.lineByteCountMax)
    try check(failure.values.depth, by: .extraDepth, max: Limits.storedDepthMax)
  }

  func check(_ extra: Extra) throws(Refusal) {
    try check(extra.byteCount, by: .extraByteCount, max: rules.limits.extraByteCountMax)
    try check(extra.depth, by: .extraDepth, max: min(rules.limits.extraDepthMax, Limits.storedDepthMax))
  }

  func check(_ attachments: [Attachment]) throws(Refusal) {
    try check(attachments.count, by: .attachments, max: rules.limits.attachmentsMax)
    var seen: Set<Attachment.ID> = []
    for attachment in attachments {
      guard seen.insert(attachment.id).inserted else { throw .attachmentTwice(attachment.id) }
      try check(attachment)
    }
  }

  private func check(_ attachment: Attachment) throws(Refusal) {
    let limits = rules.limits
    try check(stored: attachment)
    let size = Int(clamping: attachment.byteCount ?? 0)
    try check(size, by: .uploadByteCount(attachment.id), max: Int(clamping: limits.uploadByteCountMax))
    if case .device = attachment.location { throw .notUploaded(attachment.id) }
    if attachment.isUpload, attachment.location == .none { throw .notUploaded(attachment.id) }
  }

  /// Throws if a composition cannot be stored; it may be too long for a message and mention unknown users.
  func check(_ content: Composition) throws(Refusal) {
    try check(content.storedByteCount, by: .compositionByteCount, max: rules.limits.compositionByteCountMax)
    try check(content.extra)
    var seen: Set<Attachment.ID> = []
    for attachment in content.attachments.map(\.attachment) {
      guard seen.insert(attachment.id).inserted else { throw .attachmentTwice(attachment.id) }
      try check(stored: attachment)
    }
    for case .failed(let failure) in content.attachments.map(\.upload) { try check(failure) }
    try check(content.mentions, validIn: content.text)
  }

  private func check(_ mentions: [Mention], validIn text: TypedText) throws(Refusal) {
    let valid = text.valid(mentions)
    if valid == mentions { return }
    let index = zip(valid, mentions).prefix { $0 == $1 }.count
    throw .mentionMisplaced(mentions[index])
  }

  /// Throws if an attachment cannot be stored, whether or not others can reach its content.
  func check(stored attachment: Attachment) throws(Refusal) {
    try check(attachment.storedByteCount, by: .attachmentByteCount, max: rules.limits.attachmentByteCountMax)
    try check(attachment.extra)
  }

  /// Throws unless mentions are in the order of their ranges, disjoint, within the text, and of existing users.
  func check(_ mentions: [Mention], in text: UserText) throws(Refusal) {
    if mentions.isEmpty { return }
    try check(mentions.count, by: .mentions, max: rules.limits.mentionsMax)
    try check(mentions, validIn: TypedText(text))
    for mention in mentions where mention.group == nil { _ = try known(mention.user) }
  }
}
