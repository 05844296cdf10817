// The subcommands of `verbatim query`.

extension CommandGroup {
  /// The group of all queries.
  static var query: CommandGroup {
    CommandGroup(
      name: "query", summary: "Queries a workspace as one of its users.",
      details: """
        A query runs as a user, with --as, and returns what that user may see; recipients and presence are
        queries of the app. --at queries the workspace as it was at a position, an instant, or a time span
        ago; --now sets the current time, for results that depend on it. --json prints one line: position,
        instant, the result under its names in Swift, and next, the token of the next page, if there is one.

        \(ExitCode.details)
        """,
      members: [
        .command(Query<ChannelsQuestion>.self), .command(Query<ChannelQuestion>.self),
        .command(Query<MessagesQuestion>.self), .command(Query<MessageQuestion>.self),
        .command(Query<ThreadQuestion>.self), .command(Query<ThreadsQuestion>.self),
        .command(Query<MembersQuestion>.self), .command(Query<UnreadQuestion>.self),
        .command(Query<MutesQuestion>.self), .command(Query<BansQuestion>.self),
        .command(Query<DraftsQuestion>.self), .command(Query<ComposersQuestion>.self),
        .command(Query<CommandsQuestion>.self), .command(Query<SearchQuestion>.self),
        .command(Query<TypingQuestion>.self), .command(Query<MentionsQuestion>.self),
        .command(Query<UserQuestion>.self), .command(Query<UsersQuestion>.self),
        .command(Query<ReviewsQuestion>.self), .command(Query<ReviewQuestion>.self),
        .command(Query<VotesQuestion>.self), .command(Query<SavedQuestion>.self),
        .command(Query<ScheduledQuestion>.self), .command(Query<BlocksQuestion>.self),
        .command(Query<InvitationsQuestion>.self), .command(Query<PublicChannelsQuestion>.self),
        .command(RecipientsCommand.self), .command(PresenceCommand.self),
      ])
  }
}
