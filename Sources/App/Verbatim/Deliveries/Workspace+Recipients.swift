// Who is to be notified of a message, for an app that sends notifications.
public import Chat
public import ChatProjections
public import Projections

extension Workspace {
  /// Returns the users who are to be notified of a message, with their devices, in the order of their ids.
  ///
  /// The page <doc:EveryChat> says who they are. A consumer that calls this for each sent message and pushes to the
  /// devices notifies each of them once.
  public func recipients(of message: Message.Key) async throws(ProjectionError) -> [Recipient] {
    let rules = configuration.rules
    let result = await offThread { workspace in
      Result { () throws(ProjectionError) in
        let now = workspace.now
        return try workspace.lend(withOthers: false) { reading in
          Result { () throws(ProjectionError) in
            try reading.chat.recipients(of: message, under: rules, at: now) { user in
              workspace.presenceBlocking(of: [user])[user]?.isOnline ?? false
            }
          }
        }.get()
      }
    }
    return try result.get()
  }
}
