// The animated pictures that the giphy picker of a live composer offers.
internal import Chat

extension LiveComposer {
  /// The items of the giphy picker; nil while none are known.
  var pictures: [ComposerItem]? {
    access(keyPath: \.pictures)
    return requests.pictures.offered.map { offered in
      switch offered {
      case .success(let gifs): gifs.map { ComposerItem($0, in: reducer.content) }
      case .failure(let failure): [ComposerItem("failure", label: failure.reason, isEnabled: false)]
      }
    }
  }

  /// Requests the pictures for the typed text while the giphy picker is open; results for another text are dropped.
  func updatePictures() {
    guard reducer.shownPicker == .expanded(.giphy) else {
      if requests.pictures.words != nil { change { $0.cancel() } }
      return
    }
    let words = typedText.userText.trimmed.text
    if requests.pictures.words == words { return }
    let (provider, count) = (options.gifs, options.picturesOffered)
    let request = Task { [weak self] in
      if Task.isCancelled { return }
      let answer = await provider.offer(count, for: words)
      if !Task.isCancelled { self?.change { $0.show(answer) } }
    }
    change { $0.request(words, by: request) }
  }

  private func change(_ change: (inout OfferedPictures) -> Void) {
    withMutation(keyPath: \.pictures) { change(&requests.pictures) }
  }
}

extension GIFProvider {
  /// Returns the first pictures for a query, each once.
  fileprivate func offer(_ count: Int, for words: UserText) async -> Result<[GIF], OfferedPictures.Failure> {
    var pictures: [GIF] = []
    for number in 0..<max(0, count) {
      if Task.isCancelled { break }
      do {
        let picture = try await picture(for: words, number: number)
        if !pictures.contains(where: { $0.url == picture.url }) { pictures.append(picture) }
      } catch {
        // What was found is offered; an error without any picture is shown.
        if pictures.isEmpty { return .failure(OfferedPictures.Failure(reason: "\(error)")) }
        break
      }
    }
    return .success(pictures)
  }
}

extension ComposerItem {
  /// Creates the item that attaches a picture, or detaches it again.
  fileprivate init(_ gif: GIF, in content: Composition) {
    // FNV-1a, which is the same in every process.
    let hash = gif.url.string.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let id = Attachment.ID(stringLiteral: "gif-" + String(hash, radix: 16))
    let isAttached = content.attachments.contains { $0.attachment.id == id }
    let attachment = Attachment(id, .giphy, at: .url(gif.url), title: gif.title, size: gif.size)
    self.init(
      UserText("picture/" + id.text), icon: isAttached ? "checked" : "giphy", label: gif.title.string,
      action: .perform(isAttached ? .detach(id) : .attach(attachment)))
    self.attachment = attachment
  }
}

/// The pictures offered in the giphy picker, for the latest query.
struct OfferedPictures {
  /// The query; nil while the picker is closed.
  private(set) var words: UserText?
  /// The pictures, or the reason why there are none; nil while they are being requested.
  private(set) var offered: Result<[GIF], Failure>?
  /// The latest request.
  private(set) var task: Task<Void, Never>?

  /// The reason why no pictures are offered.
  struct Failure: Error {
    let reason: String
  }

  /// Makes a query the latest one, with the task that requests its pictures. The former ones stay until then.
  mutating func request(_ words: UserText, by task: Task<Void, Never>) {
    self.task?.cancel()
    (self.words, self.task) = (words, task)
  }

  /// Shows the pictures for the latest query.
  mutating func show(_ offered: Result<[GIF], Failure>) { self.offered = offered }

  /// Cancels the request and removes the pictures.
  mutating func cancel() {
    task?.cancel()
    self = OfferedPictures()
  }
}
