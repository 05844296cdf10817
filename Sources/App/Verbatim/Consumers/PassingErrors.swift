// Errors that pass, after which work that goes on continuously is tried again.
internal import ContentKeys
internal import EventLog
internal import EventLogPostgres
internal import Projections
internal import Tables

extension ConsumerError {
  /// Whether the same work may succeed later, without any change here.
  internal var passes: Bool {
    switch self {
    case .notRecorded(_, .failed(_, let error)), .projections(_, let error): error.passes
    default: false
    }
  }
}

extension MaintenanceError {
  /// Whether the same work may succeed later, without any change here.
  internal var passes: Bool {
    switch self {
    case .log(let error), .erasing(.log(let error)), .opening(.keys(.log(let error))): error.passes
    case .projections(let error): error.passes
    case .outdatedInUse: true
    default: false
    }
  }
}

extension ProjectionError {
  fileprivate var passes: Bool {
    switch self {
    case .log(let error): error.passes
    case .tables(.busy), .tables(.noSpace), .outdated: true
    default: false
    }
  }
}

extension LogError {
  fileprivate var passes: Bool {
    switch self {
    case .writerLockHeld, .noSpace: true
    default: isOfConnection
    }
  }
}
