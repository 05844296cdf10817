// Rows of the app's own projections.
public import Projections
public import Tables

extension WorkspaceReading {
  /// Returns the row with a key in a table of an app's own projection; nil when there is none.
  ///
  /// It traps if the projection is not among those of the ``Configuration``.
  public func row<Owner, Key, Row>(
    of key: Key, in table: CodableTable<Owner, Key, Row>
  ) throws(ProjectionError) -> Row? { try ownProjections(Owner.self).row(of: key, in: table) }

  /// Returns rows of a table of an app's own projection in an order of their keys, at most `limit`.
  public func rows<Owner, Key, Row>(
    in table: CodableTable<Owner, Key, Row>, _ order: RowOrder = .upwards, limit: Int = .max
  ) throws(ProjectionError) -> [(key: Key, row: Row)] {
    try ownProjections(Owner.self).rows(in: table, order, limit: limit)
  }

  /// Returns the rows whose keys begin with some fields, in an order of their keys, at most `limit`.
  public func rows<Owner, Key, Row>(
    in table: CodableTable<Owner, Key, Row>, under prefix: some Encodable, _ order: RowOrder = .upwards,
    limit: Int = .max
  ) throws(ProjectionError) -> [(key: Key, row: Row)] {
    try ownProjections(Owner.self).rows(in: table, under: prefix, order, limit: limit)
  }

  @_lifetime(copy self)
  private func ownProjections<Owner: Projection>(_: Owner.Type) -> ProjectionReader {
    guard let own else { preconditionFailure("the configuration has no projection \(Owner.name)") }
    return own
  }
}
