// Tests of extra values and small sets: one form for equal values, and their sizes.
import Chat
import Testing

struct Extras {
  @Test func `names are sorted by their bytes, whatever the order of insertion`() {
    let extra: Extra = ["b": 1, "a": 2, "é": 3, "B": 4, "": 5]
    #expect(extra.fields.map(\.name) == ["", "B", "a", "b", "é"])
    #expect(extra == ["": 5, "é": 3, "a": 2, "b": 1, "B": 4])
    #expect(extra.hashValue == (["": 5, "é": 3, "a": 2, "b": 1, "B": 4] as Extra).hashValue)
  }

  @Test func `of two values with one name the later wins`() {
    #expect((["a": 1, "b": 2, "a": 3] as Extra) == ["a": 3, "b": 2])
    #expect(Extra([Extra.Field("a", 1), Extra.Field("a", nil ?? .null)]) == ["a": .null])
    #expect((["Ren\u{E9}": 1, "Rene\u{301}": 2] as Extra).fields.count == 2, "two names that look the same")
  }

  @Test func `a value is read, changed, inserted and removed by its name`() {
    var extra: Extra = ["b": 1, "d": 2]
    #expect(extra["b"] == 1 && extra["d"] == 2 && extra["a"] == nil && extra["c"] == nil && extra["e"] == nil)
    for name in ["a", "c", "e"] as [UserText] { extra[name] = true }
    #expect(extra == ["a": true, "b": 1, "c": true, "d": 2, "e": true])
    extra["c"] = "three"
    for name in ["a", "e", "x"] as [UserText] { extra[name] = nil }
    #expect(extra == ["b": 1, "c": "three", "d": 2])
    for name in ["b", "c", "d"] as [UserText] { extra[name] = nil }
    #expect(extra.isEmpty && extra == Extra() && extra == [:])
  }

  @Test func `sorted fields are accepted, unsorted ones are not`() {
    let fields = [Extra.Field("a", 1), Extra.Field("b", .null)]
    #expect(Extra(ordered: fields) == ["a": 1, "b": .null] && Extra(ordered: []) == [:])
    #expect(Extra(ordered: fields.reversed()) == nil && Extra(ordered: [fields[0], fields[0]]) == nil)
  }

  @Test func `numbers are equal if their bits are`() {
    #expect(Extra.Value.number(.nan) == .number(.nan))
    #expect(Extra.Value.number(0) != .number(-0.0) && Extra.Value.number(1) != .integer(1))
    #expect(Extra.Value.number(.nan).hashValue == Extra.Value.number(.nan).hashValue)
  }

  @Test func `values of different kinds differ`() {
    let values: [Extra.Value] = [
      .null, true, false, 0, 1, 0.5, "", "0", .list([]), .list([.null]), .fields([:]), .fields(["": .null]),
    ]
    #expect(Set(values).count == values.count)
    for (place, value) in values.enumerated() { #expect(values.firstIndex(of: value) == place) }
  }

  @Test func `the byte count is that of names and texts, plus eight for every other value`() {
    #expect(([:] as Extra).byteCount == 0)
    #expect((["ab": .null, "c": true, "d": 1, "e": 0.5] as Extra).byteCount == 5 + 32)
    #expect((["a": "é"] as Extra).byteCount == 1 + 2 + 8)
    #expect((["a": .list([1, "b"]), "c": .fields(["d": 1])] as Extra).byteCount == 1 + 8 + 8 + 9 + 1 + 8 + 9)
  }

  @Test func `the depth is that of the deepest value`() {
    #expect(([:] as Extra).depth == 0 && (["a": 1] as Extra).depth == 1)
    #expect((["a": .list([])] as Extra).depth == 1 && (["a": .fields([:])] as Extra).depth == 1)
    #expect((["a": .list([1])] as Extra).depth == 2 && (["a": .fields(["b": 1])] as Extra).depth == 2)
    #expect((["a": 1, "b": .list([.fields(["c": .list([1])])]), "d": 1] as Extra).depth == 4)
  }
}

struct `Small sets` {
  @Test func `a set contains inserted cases and not removed ones`() {
    var set: Capabilities = []
    #expect(set.isEmpty && set.elements.isEmpty)
    for capability in Capability.allCases {
      #expect(!set.contains(capability))
      set.insert(capability)
      set.insert(capability)
      #expect(set.contains(capability))
    }
    #expect(set == .all && set.elements == Capability.allCases)
    for capability in Capability.allCases {
      set.remove(capability)
      set.remove(capability)
      #expect(!set.contains(capability))
    }
    #expect(set == [] && set.isEmpty)
  }

  @Test func `union, intersection and subset of sets`() {
    let (a, b): (Capabilities, Capabilities) = ([.read, .send], [.send, .reply])
    #expect(a.union(b) == [.read, .send, .reply] && a.intersection(b) == [.send])
    #expect(a.isSubset(of: a) && a.isSubset(of: .all) && ([] as Capabilities).isSubset(of: []))
    #expect(!a.isSubset(of: b) && !a.isSubset(of: []))
    #expect(([.send, .read] as Capabilities).elements == [.read, .send], "in the order of their numbers")
  }

  @Test func `bits that belong to no case are rejected`() {
    #expect(Capabilities(bits: 0b101) == [.read, .reply] && Capabilities(bits: 0) == [])
    #expect(Capabilities(bits: Capabilities.all.bits) == .all)
    #expect(Capabilities(bits: Capabilities.all.bits + 1) == nil && Capabilities(bits: .max) == nil)
  }

  @Test func `every enumeration fits the bits of a set`() {
    #expect(Capability.allCases.allSatisfy { $0.rawValue < 32 } && ChannelFlag.allCases.allSatisfy { $0.rawValue < 32 })
    #expect(Composer.Part.allCases.allSatisfy { $0.rawValue < 32 })
  }
}
