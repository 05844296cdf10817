// A command of an app's own, which covers the app's views; one of them breaks the rules that a variable names.
import Foundation
import Verbatim
import VerbatimCommand

var configuration = Configuration()
configuration.projections =
  [Popularity.self] + Fault.projections(named: ProcessInfo.processInfo.environment["VERBATIM_FAULT"])
configuration.searchesMessages = false
configuration.checkpointDistance = 500
configuration.snapshotDistance = 1_000
Invocation.main(configuration)
