// Messages that are found by their words.
public import Chat
internal import TextFolding
public import Projections

/// Messages that were found by their words, the one whose text is newest first.
public struct SearchPage: Hashable, Sendable {
  /// The messages.
  public var messages: [Message] = []
  /// Where the next page begins; nil when there is none.
  public var next: SearchCursor?
}

/// Behind which text a page begins.
public struct SearchCursor: Hashable, Sendable {
  /// The number of the text, of all that were ever written.
  internal let number: UInt64
}

extension ChatReading {
  /// Messages whose text has, for every word of a query, a word that starts with it; ``ChatSearch`` is among the views.
  ///
  /// Case, marks on letters and width make no difference. A query without words finds nothing. What is deleted or
  /// truncated away is not found, nor what is in a channel that is deleted or has its search off; what only its author
  /// sees is found by nobody else. Whether whoever asks may read a channel is not asked here.
  public func messages(
    matching query: String, in channel: Channel.ID? = nil, by author: User.ID? = nil,
    after cursor: SearchCursor? = nil, limit: Int, for viewer: User.ID? = nil
  ) throws(ProjectionError) -> SearchPage {
    var question = SearchQuestion(query, limit: limit)
    (question.channel, question.author, question.viewer) = (channel, author, viewer)
    question.cursor = cursor
    return try messages(question, in: ChatSearch.self)
  }

  /// As ``messages(matching:in:by:after:limit:for:)``, in the channels in which somebody may read.
  package func messages(
    matching query: String, in channel: Channel.ID?, by author: User.ID?, after cursor: SearchCursor?, limit: Int,
    for viewer: Viewer
  ) throws(ProjectionError) -> SearchPage {
    var question = SearchQuestion(query, limit: limit)
    (question.channel, question.author, question.viewer) = (channel, author, viewer.user.id)
    (question.reader, question.cursor) = (viewer, cursor)
    return try messages(question, in: ChatSearch.self)
  }

  /// Messages that are found in the tables of some view.
  package func messages<Owner: SearchView>(
    _ question: SearchQuestion, in owner: Owner.Type
  ) throws(ProjectionError) -> SearchPage {
    if question.query.isEmpty || question.limit < 1 { return SearchPage() }
    var search = MessageSearch<Owner>(question)
    try search.run(in: self)
    return search.page
  }
}
