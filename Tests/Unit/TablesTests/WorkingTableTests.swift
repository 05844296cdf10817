// Threat: a change that is not written, or a row that is evicted before it was written.
import Bytes
import SeededRandom
import Testing

@testable import Tables

@Suite struct `A working table` {
  @Test func `rows that were read are in memory and unchanged`() {
    var table = WorkingTable<Row>()
    #expect(table.count == 0 && table.number(of: [1]) == nil)
    #expect(table.hold(Row([1]), for: [1]) == 0)
    #expect(table.hold(Row([2]), for: [2]) == 1)
    #expect(table.count == 2 && table.changedCount == 0)
    #expect(table.number(of: [2]) == 1 && table[1] == Row([2]))
    #expect(table.takeChanges().count == 0)
  }

  @Test func `takeChanges returns each change once in the order of keys`() {
    var table = WorkingTable<Row>()
    let keys: [[UInt8]] = [
      [2], [1, 255], [1], [], [1, 0], [255], [0, 0, 0, 0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 0, 0, 0, 0, 1],
      [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 128, 0], [128, 0, 0, 0, 0, 0, 0, 0],
    ]
    for key in keys { _ = table.insert(Row(key + [7]), for: key) }
    let changes = table.takeChanges()
    let sorted = keys.sorted { $0.lexicographicallyPrecedes($1) }
    #expect(changes.keys == sorted)
    #expect(changes.values == sorted.map { $0 + [7] })
    #expect(changes.byteCount == 2 * keys.joined().count + keys.count)
    #expect(table.changedCount == 0 && table.takeChanges().count == 0)
  }

  @Test func `takeChanges sorts long keys by their bytes`() {
    var random = SeededRandom.printingSeed()
    let keys = Set((0..<300).map { _ in random.noise(7 + random.below(12)).map { $0 & 0x81 } })
    var table = WorkingTable<Row>()
    for key in keys { _ = table.insert(Row([]), for: key) }
    #expect(table.takeChanges().keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test func `a row changed several times counts once`() {
    var table = WorkingTable<Row>()
    let number = table.hold(Row([1]), for: [1])
    for value in 2...5 as ClosedRange<UInt8> { table.change(number) { $0.bytes = [value] } }
    #expect(table.changedCount == 1)
    let changes = table.takeChanges()
    #expect(changes.keys == [[1]] && changes.values == [[5]])
    table.change(number) { $0.bytes = [6] }
    #expect(table.takeChanges().values == [[6]])
  }

  @Test func `restored changes are merged with later ones`() {
    var table = WorkingTable<Row>()
    for key in [1, 2, 3] as [UInt8] { _ = table.insert(Row([key]), for: [key]) }
    let changes = table.takeChanges()
    table.change(1) { $0.bytes = [20] }
    table.restoreChanges(changes)
    #expect(table.changedCount == 3)
    let again = table.takeChanges()
    #expect(again.keys == [[1], [2], [3]] && again.values == [[1], [20], [3]])
  }

  @Test func `random operations on a working table match a dictionary`() {
    var random = SeededRandom.printingSeed()
    var table = WorkingTable<Row>()
    var model = Model()
    for step in 0..<20_000 {
      let key = random.noise(random.below(3)).map { $0 % 12 }
      let row = Row(random.noise(random.below(4)))
      switch random.below(40) {
      case 0:
        let changes = table.takeChanges()
        expect(changes, model, step)
        if random.below(2) == 0 {
          table.restoreChanges(changes)
        } else {
          model.changed = []
        }
      case 1:
        table.forgetUnchanged()
        model.rows = model.rows.filter { model.changed.contains($0.key) }
      case 2..<10:
        guard model.rows[key] == nil else { continue }
        let found = random.below(3) == 0 ? nil : row
        _ = table.hold(found, for: key)
        model.rows[key] = .some(found)
      default:
        let new = random.below(4) == 0 ? nil : row
        if let number = table.number(of: key) {
          table.replace(number) { $0 = new }
        } else {
          table.replace(table.hold(nil, for: key)) { $0 = new }
        }
        model.rows[key] = .some(new)
        model.changed.insert(key)
      }
      if table.count != model.rows.count || table.changedCount != model.changed.count {
        Issue.record("step \(step)")
      }
    }
    var rows: [[UInt8]: Row] = [:]
    table.forEach { rows[Array($0)] = $1 }
    #expect(rows == model.rows.compactMapValues { $0 })
    for (key, row) in model.rows { #expect(table.number(of: key).map { table.row($0) } == .some(row)) }
  }

  @Test func `using an absent row traps`() async {
    await #expect(processExitsWith: .failure) {
      var table = WorkingTable<Row>()
      let number = table.hold(nil, for: [1])
      table.change(number) { $0.bytes = [] }
    }
    await #expect(processExitsWith: .failure) {
      var table = WorkingTable<Row>()
      print(table[table.hold(nil, for: [1])])
    }
  }

  @Test func `adding a row twice traps`() async {
    await #expect(processExitsWith: .failure) {
      var table = WorkingTable<Row>()
      _ = table.hold(Row([1]), for: [1])
      _ = table.hold(Row([1]), for: [1])
    }
  }

  private func expect(_ changes: ChangedRows, _ model: Model, _ step: Int) {
    let keys = model.changed.sorted { $0.lexicographicallyPrecedes($1) }
    if changes.keys != keys || changes.values != keys.map({ model.rows[$0]!?.bytes }) {
      Issue.record("step \(step): \(changes.keys) instead of \(keys)")
    }
  }
}

private struct Model {
  /// The rows in memory; nil for one known to be absent.
  var rows: [[UInt8]: Row?] = [:]
  var changed: Set<[UInt8]> = []
}

extension WorkingTable {
  fileprivate func number(of key: [UInt8]) -> Int? { key.withUnsafeBytes { number(of: $0) } }
  fileprivate mutating func hold(_ row: Row?, for key: [UInt8]) -> Int {
    key.withUnsafeBytes { hold(row, for: $0) }
  }
  fileprivate mutating func insert(_ row: Row, for key: [UInt8]) -> Int {
    key.withUnsafeBytes { insert(row, for: $0) }
  }
}

extension ChangedRows {
  fileprivate var keys: [[UInt8]] {
    var keys: [[UInt8]] = []
    forEach { key, _ in keys.append(Array(key)) }
    return keys
  }

  fileprivate var values: [[UInt8]?] {
    var values: [[UInt8]?] = []
    forEach { _, value in values.append(value.map { Array($0) }) }
    return values
  }
}
