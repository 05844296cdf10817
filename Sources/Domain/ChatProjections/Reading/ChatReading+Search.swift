// Full-text search for messages.
public import Chat
internal import TextFolding
public import Projections

/// A page of messages found by their words, the one with the newest text first.
public struct SearchPage: Hashable, Sendable {
  /// The messages of the page.
  public var messages: [Message] = []
  /// The cursor of the next page; nil on the last page.
  public var next: SearchCursor?
}

/// The text after which a page begins.
public struct SearchCursor: Hashable, Sendable {
  /// The number of the text among all texts ever written.
  internal let number: UInt64
}

extension ChatReading {
  /// Returns a page of the messages in which each word of a query is the prefix of a word; requires ``ChatSearch``.
  ///
  /// Case, marks on letters and width are ignored. A query without words finds nothing. Deleted and truncated messages
  /// are not found, nor those in a channel that is deleted or has its search off; ephemeral messages are found by their
  /// author only. Permission to read a channel is not checked here.
  public func messages(
    matching query: String, in channel: Channel.ID? = nil, by author: User.ID? = nil,
    after cursor: SearchCursor? = nil, limit: Int, for viewer: User.ID? = nil
  ) throws(ProjectionError) -> SearchPage {
    var question = SearchRequest(query, limit: limit)
    (question.channel, question.author, question.viewer) = (channel, author, viewer)
    question.cursor = cursor
    return try messages(question, in: ChatSearch.self)
  }

  /// Returns the page of ``messages(matching:in:by:after:limit:for:)``, limited to channels that the viewer may read.
  package func messages(
    matching query: String, in channel: Channel.ID?, by author: User.ID?, after cursor: SearchCursor?, limit: Int,
    for viewer: Viewer
  ) throws(ProjectionError) -> SearchPage {
    var question = SearchRequest(query, limit: limit)
    (question.channel, question.author, question.viewer) = (channel, author, viewer.user.id)
    (question.reader, question.cursor) = (viewer, cursor)
    return try messages(question, in: ChatSearch.self)
  }

  /// Returns a page of the messages found in the tables of a search projection.
  package func messages<Owner: SearchProjection>(
    _ question: SearchRequest, in owner: Owner.Type
  ) throws(ProjectionError) -> SearchPage {
    if question.query.isEmpty || question.limit < 1 { return SearchPage() }
    var search = MessageSearch<Owner>(question)
    try search.run(in: self)
    return search.page
  }
}
