// The subcommands of `verbatim query`.

extension CommandGroup {
  /// The group of all queries.
  static var query: CommandGroup {
    CommandGroup(
      name: "query", summary: "Asks what stands in a workspace, as one of its users sees it.",
      details: """
        Every question is asked by somebody, with --as, and answered with what they may see. With --at it is
        asked of the workspace as it was when its log ended there; with --now it is told how things are at
        that instant, where that depends on the time. With --json the answer is one line: position, instant,
        what was asked for by the names that it has in Swift, and next, the token of the next page, where
        there is one.

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
      ])
  }
}
