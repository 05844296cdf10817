// The contract of appending: positions, versions, receipts, limits, expectations, ids.
import EventLog
import Testing

extension ContractCase {
  static let appending = [
    ContractCase("an empty log ends before the first position and has nothing to read") { bench in
      let store = try bench.makeStore()
      #expect(try store.head() == Head(of: store.log.genesis))
      #expect(try allEvents(store) == [])
      #expect(try store.events(from: .first, .backward, limit: 10) == [])
      #expect(try store.events(of: "nowhere", limit: 10) == [])
      #expect(try store.version(of: "nowhere") == .zero)
      #expect(try store.streams(limit: 10) == [])
    },
    ContractCase("events get positions without a gap and versions within their streams") { bench in
      let store = try bench.makeStore()
      let first = try await store.append([event("a", "1"), event("b", "2"), event("a", "3")])
      let second = try await store.append([event("a", "4")])
      #expect(first.positions == Position(rawValue: 1)...Position(rawValue: 3))
      #expect(first.streams.map(\.stream) == ["a", "b"])
      #expect(first.streams.map(\.versions.upperBound.rawValue) == [2, 1])
      #expect(second.positions == Position(rawValue: 4)...Position(rawValue: 4))
      #expect(second.streams.map(\.versions) == [StreamVersion(rawValue: 3)...StreamVersion(rawValue: 3)])
      let events = try allEvents(store)
      #expect(events.map(\.position.rawValue) == [1, 2, 3, 4])
      #expect(events.map(\.version.rawValue) == [1, 1, 2, 3])
      #expect(texts(events) == ["1", "2", "3", "4"])
      try expectChainIsWhole(store)
    },
    ContractCase("everything that was proposed is recorded, byte for byte") { bench in
      let store = try bench.makeStore()
      let bytes = (0...255).map { UInt8($0) }
      let full = ProposedEvent(
        stream: "s/é", type: "t", payload: bytes, actor: "who", device: "where", cause: .first)
      _ = try await store.append([event("s/é")])
      let receipt = try await store.append([full, event("s/é")], correlation: "why")
      let stored = try allEvents(store)[1]
      #expect(stored.payload == bytes)
      #expect(stored.stream == "s/é" && stored.type == "t" && stored.actor == "who" && stored.device == "where")
      #expect(stored.cause == .first && stored.correlation == "why" && stored.append == receipt.id)
      #expect(stored.recorded == receipt.recorded)
      let empty = try allEvents(store)[2]
      #expect(empty.payload == [] && empty.actor == nil && empty.device == nil && empty.cause == nil)
      #expect(try allEvents(store)[0].correlation == nil)
    },
    ContractCase("names that look alike and have other bytes are other streams") { bench in
      let store = try bench.makeStore()
      _ = try await store.append([event("caf\u{E9}"), event("cafe\u{301}")])
      #expect(try store.version(of: "caf\u{E9}") == .first)
      #expect(try store.streams(limit: 10).count == 2)
    },
    ContractCase("an append without events is refused") { bench in
      let store = try bench.makeStore()
      await expectError(".empty") {
        try await store.append([])
      } where: {
        if case .empty = $0 { true } else { false }
      }
      #expect(try store.head().position == .zero)
    },
    ContractCase("an event over the limit is refused, one at the limit is not, and the message says both sizes") {
      bench in
      var configuration = EventStore.Configuration()
      configuration.eventByteCountMax = 10
      configuration.appendByteCountMax = 15
      let store = try bench.makeStore(configuration)
      _ = try await store.append([event("s", "0123456789")])
      await expectError(".eventTooLarge") {
        try await store.append([event("s", "ok"), event("s", "0123456789A")])
      } where: {
        if case .eventTooLarge(index: 1, byteCount: 11, max: 10) = $0 {
          "\($0)".contains("11 bytes, and 10")
        } else {
          false
        }
      }
      await expectError(".appendTooLarge") {
        try await store.append([event("s", "01234567"), event("s", "01234567")])
      } where: {
        if case .appendTooLarge(byteCount: 16, max: 15) = $0 { true } else { false }
      }
      #expect(try allEvents(store).count == 1)
    },
    ContractCase("a cause must stand in the log before its append") { bench in
      let store = try bench.makeStore()
      _ = try await store.append([event("s")])
      for cause in [0, 2, 3, UInt64.max] {
        var proposal = event("s")
        proposal.cause = Position(rawValue: cause)
        await expectError(".unknownCause") { [proposal] in
          try await store.append([event("s"), proposal])
        } where: {
          if case .unknownCause(index: 1, Position(rawValue: cause)) = $0 { true } else { false }
        }
      }
      #expect(try store.head().position == .first)
    },
    ContractCase("a large event is kept whole") { bench in
      let store = try bench.makeStore()
      let payload = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      _ = try await store.append([event("s"), ProposedEvent(stream: "s", type: "t", payload: payload), event("s")])
      #expect(try allEvents(store)[1].payload == payload)
      try expectChainIsWhole(store)
    },
    ContractCase("many writers at once: positions without a gap, each answered for itself") { bench in
      let store = try bench.makeStore()
      let receipts = try await withThrowingTaskGroup(of: (Int, Receipt).self) { group in
        for writer in 0..<200 {
          group.addTask {
            (
              writer,
              try await store.append([
                event(Name(stringLiteral: "w\(writer % 7)"), "\(writer)"), event("all", "\(writer)"),
              ])
            )
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let events = try allEvents(store)
      #expect(events.map(\.position.rawValue) == Array(1...400))
      for (writer, receipt) in receipts {
        let own = events.filter { receipt.positions.contains($0.position) }
        #expect(texts(own) == ["\(writer)", "\(writer)"])
        #expect(own.map(\.append) == [receipt.id, receipt.id])
      }
      try expectChainIsWhole(store)
    },
    ContractCase("threads that wait and tasks that do not share the log") { bench in
      let store = try bench.makeStore()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          group.addTask { _ = try await store.append([event("tasks")]) }
          group.addTask { try appendWaiting(store) }
        }
        try await group.waitForAll()
      }
      #expect(try store.version(of: "tasks").rawValue == 20)
      #expect(try store.version(of: "threads").rawValue == 20)
    },
  ]

  static let expecting = [
    ContractCase("each expectation holds for just the states it names, of streams written to or not") { bench in
      let store = try bench.makeStore()
      _ = try await store.append([event("two"), event("two")])
      let states: [(StreamExpectation.State, none: Bool, two: Bool)] = [
        (.any, true, true), (.none, true, false), (.exists, false, true), (.version(.zero), true, false),
        (.version(.first), false, false), (.version(StreamVersion(rawValue: 2)), false, true),
        (.version(StreamVersion(rawValue: 3)), false, false),
      ]
      for (state, none, two) in states {
        for (stream, holds, actual) in [("never", none, 0), ("two", two, 2)] as [(Name, Bool, UInt64)] {
          if holds {
            _ = try await store.append([event("elsewhere")], expecting: [StreamExpectation(stream, state)])
          } else {
            await expectError("conflict of \(stream), \(state)") {
              try await store.append([event("elsewhere")], expecting: [StreamExpectation(stream, state)])
            } where: {
              guard case .conflict(let conflict) = $0 else { return false }
              return conflict.stream == stream && conflict.expected == state && conflict.actual.rawValue == actual
            }
          }
        }
      }
      #expect(try store.version(of: "elsewhere").rawValue == 6)
    },
    ContractCase("a conflict writes nothing of the append") { bench in
      let store = try bench.makeStore()
      await expectError("conflict") {
        try await store.append(
          [event("a"), event("b")], expecting: [StreamExpectation("a", .none), StreamExpectation("b", .exists)])
      } where: {
        if case .conflict(let conflict) = $0 { conflict.stream == "b" } else { false }
      }
      #expect(try allEvents(store) == [])
      #expect(try store.version(of: "a") == .zero)
    },
    ContractCase("expectations that contradict each other are refused, others of one stream are not") { bench in
      let store = try bench.makeStore()
      let none = StreamExpectation("s", .none)
      let zero = StreamExpectation("s", .version(.zero))
      let one = StreamExpectation("s", .version(.first))
      let exists = StreamExpectation("s", .exists)
      for pair in [[none, exists], [exists, none], [zero, one], [exists, zero], [one, none]] {
        await expectError("contradiction") {
          try await store.append([event("s")], expecting: pair)
        } where: {
          if case .contradiction(pair[0], pair[1]) = $0 { true } else { false }
        }
      }
      _ = try await store.append([event("s")], expecting: [none, zero, none, StreamExpectation("s", .any)])
      _ = try await store.append([event("s")], expecting: [one, exists])
    },
    ContractCase("of many who expect the same version one is right, and each other hears of the conflict") { bench in
      let store = try bench.makeStore()
      let outcomes = await withTaskGroup(of: Bool.self) { group in
        for writer in 0..<50 {
          group.addTask {
            (try? await store.append([event("s", "\(writer)")], expecting: [StreamExpectation("s", .none)])) != nil
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count { $0 } == 1)
      #expect(try store.version(of: "s") == .first)
    },
  ]

  static let repeating = [
    ContractCase("the same append again gets the first receipt, also when its expectations no longer hold") { bench in
      var store = try bench.makeStore()
      let id = AppendID(high: 1, low: 2)
      let append = Append(
        [event("a", "1"), event("b", "2"), event("a", "3")], expecting: [StreamExpectation("a", .none)], id: id)
      let first = try await store.append(append)
      _ = try await store.append([event("a", "4")])
      #expect(try await store.append(append) == first)
      #expect(try store.receipt(of: id) == first)
      store = try bench.reopen(store)
      #expect(try await store.append(append) == first)
      #expect(try store.receipt(of: id) == first)
      #expect(try store.receipt(of: AppendID(high: 1, low: 3)) == nil)
      #expect(try store.head().position.rawValue == 4)
    },
    ContractCase("the same id with anything else is an error that names id and position") { bench in
      let store = try bench.makeStore()
      let id = AppendID(high: 7, low: 7)
      _ = try await store.append([event("before")])
      let proposal = ProposedEvent(stream: "s", type: "t", payload: [1], actor: "a", device: "d", cause: .first)
      _ = try await store.append([proposal], id: id, correlation: "c")
      var others = Array(repeating: [proposal], count: 7)
      others[0][0].stream = "S"
      others[1][0].type = "T"
      others[2][0].payload = [2]
      others[3][0].actor = nil
      others[4][0].device = "D"
      others[5][0].cause = nil
      others[6].append(proposal)
      for other in others {
        await expectError("idReused") {
          try await store.append(other, id: id, correlation: "c")
        } where: {
          if case .idReused(id, at: Position(rawValue: 2)) = $0 { true } else { false }
        }
      }
      await expectError("idReused") {
        try await store.append([proposal], id: id)
      } where: {
        if case .idReused = $0 { true } else { false }
      }
      #expect(try store.head().position.rawValue == 2)
    },
    ContractCase("an append that names what it came of is the same when that is, whatever its events") { bench in
      let store = try bench.makeStore()
      let (id, wish) = (AppendID(high: 7, low: 8), ProposalHash(rawValue: 5))
      let first = try await store.append(Append([event("s"), event("s")], id: id, proposal: wish))
      #expect(try await store.append(Append([event("other")], id: id, proposal: wish)) == first)
      for other in [ProposalHash(rawValue: 6), nil] {
        await expectError("idReused") {
          try await store.append(Append([event("s"), event("s")], id: id, proposal: other))
        } where: {
          if case .idReused(id, at: .first) = $0 { true } else { false }
        }
      }
      #expect(try allEvents(store).map(\.proposal) == [wish, nil])
    },
    ContractCase("the same id at once from many writers is appended once") { bench in
      let store = try bench.makeStore()
      let receipts = try await withThrowingTaskGroup(of: Receipt.self) { group in
        for _ in 0..<50 {
          group.addTask { try await store.append([event("s", "once")], id: AppendID(high: 5, low: 5)) }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(receipts.count == 1)
      #expect(try allEvents(store).count == 1)
    },
  ]
}

private func appendWaiting(_ store: EventStore) throws {
  _ = try store.appendBlocking([event("threads")])
}

/// Expects an append to fail with the given error.
private func expectError(
  _ what: String, _ append: () async throws -> Receipt, where isExpected: (AppendError) -> Bool
) async {
  do {
    let receipt = try await append()
    Issue.record("\(what) was expected, and it was appended: \(receipt)")
  } catch let error as AppendError {
    #expect(isExpected(error), "\(what) was expected, and it is \(error)")
  } catch {
    Issue.record("\(error)")
  }
}
