// The invariants between composers and their index, whatever was folded.
internal import Chat
package import Projections

extension ChatReading {
  /// Returns descriptions of the defects in the index of composers; empty when there are none.
  package func composerDefects() throws(ProjectionError) -> [String] {
    var (composing, running): (Set<Composer.Key>, [Composer.Key: CommandExecution]) = ([], [:])
    try reading.forEachRow(of: ChatState.composers) { _, composer in
      if composer.typed != nil { composing.insert(composer.key) }
      running[composer.key] = composer.execution
      return true
    }
    var defects: [String] = []
    try reading.forEachRow(of: ChatState.composing) { _, entry in
      let key = entry.key.composer
      if composing.remove(key) == nil { defects.append("\(key) is indexed as typing and is not") }
      return true
    }
    defects += composing.map { "\($0) is typing and is not indexed" }
    try reading.forEachRow(of: ChatState.runningCommands) { _, row throws(ProjectionError) in
      let run = try reading.row(of: CommandKey(row.key.user, row.position), in: ChatState.commands)
      let expected = running.removeValue(forKey: row.key)
      if run?.end != nil || run?.composer != row.key || run?.execution != expected {
        defects.append(
          "the execution in \(row.key) is \(String(describing: expected)), indexed as \(String(describing: run))")
      }
      return true
    }
    defects += running.map { "\($0.value.id) is executing in \($0.key) and is not indexed" }
    var atWork = 0
    try reading.forEachRow(of: ChatState.commands) { _, run in
      if run.end == nil { atWork += 1 }
      return true
    }
    try reading.forEachRow(of: ChatState.runningCommands) { _, _ in
      atWork -= 1
      return true
    }
    if atWork != 0 { defects.append("\(atWork) commands are executing and not indexed as executing") }
    return defects
  }
}
