// Uploads and link previews, which run concurrently with typing.
internal import Chat

// MARK: Uploads

extension LiveComposer {
  /// Starts pending uploads and cancels those whose attachment was removed.
  func updateUploads() {
    let reducer = reducer
    requests.uploads.cancelAll { reducer.attachment($0) != nil }
    guard let provider = options.uploads else { return }
    for attachment in composer.content.attachments
    where attachment.isToUpload && !requests.uploads.contains(attachment.attachment.id) {
      start(attachment.attachment, by: provider)
    }
  }

  private func start(_ attachment: Attachment, by provider: any UploadProvider) {
    let id = attachment.id
    requests.uploads.start(id) { number in
      Task { [weak self] in
        if Task.isCancelled { return }
        self?.recordUpload(id, .progressed(0))
        let step: Composer.UploadStep
        do {
          let url = try await provider.upload(attachment) { part in
            // Progress reported after the end of an upload does not belong to its successor.
            Task { @MainActor in
              if self?.requests.uploads.isCurrent(number, of: id) == true { self?.recordUpload(id, .progressed(part)) }
            }
          }
          step = .finished(url: url)
        } catch {
          step = .failed(RecordedFailure(error))
        }
        if Task.isCancelled || self?.requests.uploads.finish(number, of: id) != true { return }
        self?.recordUpload(id, step)
      }
    }
  }

  /// Records an upload step; progress below one percent is skipped.
  private func recordUpload(_ id: Attachment.ID, _ step: Composer.UploadStep) {
    if case .progressed(let part) = step, case .uploading(let permille)? = reducer.attachment(id)?.upload,
      part < 1, part * 1000 < Double(permille) + 10
    {
      return
    }
    do throws(ComposerError) { try perform(.upload(id, step)) } catch {
      if phase.stopped == nil { notice = .notRecorded(UserText("\(error)")) }
    }
  }
}

extension ComposedAttachment {
  fileprivate var isToUpload: Bool {
    switch (upload, attachment.location) {
    case (.local, .device), (.uploading, .device): true
    default: false
    }
  }
}

// MARK: Previews

extension LiveComposer {
  /// Requests a preview once for each link in the text, and detaches previews whose link was removed.
  func requestPreviews(exceptAtCaret: Bool) {
    guard let provider = options.linkPreviews, composer.editing == nil || reducer.edited != nil else { return }
    // The previews of links that the edited message already contained were decided when it was sent.
    let edited = reducer.edited?.content
    let old = edited.map { TypedText($0.text).links(exceptAt: nil) } ?? []
    let mayShow =
      reducer.composerContext.config.has(.urlEnrichment)
      && reducer.composerContext.capabilities.contains(.sendLinks)
    let written = typedText.links(exceptAt: nil)
    let all = mayShow ? written : written.filter { old.contains($0) }
    requests.previews.cancelAll(except: all)
    for shown in composer.content.attachments.map(\.attachment) where shown.isFoundPreview {
      if case .url(let url) = shown.location, !all.contains(url) { do { try perform(.detach(shown.id)) } catch {} }
    }
    let done = exceptAtCaret ? typedText.links(exceptAt: composer.selection.upperBound) : all
    for link in done
    where mayShow && !old.contains(link) && !requests.previews.contains(link)
      && !composer.content.dismissedPreviews.contains(link)
    {
      requestPreview(of: link, from: provider)
    }
  }

  private func requestPreview(of link: UserText, from provider: any LinkPreviewProvider) {
    let request = Task { [weak self] in
      if Task.isCancelled { return }
      // A failed request shows no preview.
      guard let preview = try? await provider.preview(of: link.string), !Task.isCancelled else { return }
      self?.attach(preview, of: link)
    }
    requests.previews.add(request, for: link)
  }

  private func attach(_ preview: LinkPreview, of link: UserText) {
    let content = composer.content
    guard typedText.links(exceptAt: nil).contains(link), !content.dismissedPreviews.contains(link),
      !content.attachments.contains(where: { $0.attachment.isPreview(of: link) }),
      let id = Attachment.ID(rawValue: Attachment.previewPrefix + host.newID().text)
    else { return }
    let attachment = Attachment(
      id, .link, at: .url(link), title: preview.title.map { UserText($0) },
      summary: preview.summary.map { UserText($0) }, thumbnail: preview.thumbnail.map { UserText($0) })
    // If the attachment limit is reached, the link has no preview; the user attempted nothing.
    var next = reducer
    guard let events = try? next.act(.attach(attachment), at: host.now) else { return }
    try? apply(next, recording: events)
  }
}

extension Attachment {
  fileprivate static var previewPrefix: String { "preview-" }

  /// Whether it is a preview found for a link in the text, and removed with that link.
  var isFoundPreview: Bool { kind == .link && id.text.hasPrefix(Self.previewPrefix) }
}
