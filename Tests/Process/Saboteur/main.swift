// A command of an app, which includes the app's projections; an environment variable selects a faulty one.
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
