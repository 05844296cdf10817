// The images of a trace: where the power is cut, and which changes are on the disk.
internal import SeededRandom

/// The images that power cuts at the points of a trace can leave, chosen by a seed.
///
/// The power is cut where most is uncertain: before each sync that makes changes certain, behind each mark, and at the
/// end. States at other points are among these. Where at most ``subsetMax`` important changes are uncertain, each of
/// their subsets is an image before any is torn; of the rest, which programs never sync, some are chosen.
package struct ImageSeries: Sendable {
  /// The largest number of changes all of whose subsets are images.
  package static let subsetMax = 12

  private let trace: Trace
  private let disk: Disk
  private let fault: Fault?
  private let seed: UInt64
  private let isImportant: @Sendable (String) -> Bool
  /// Whether there is one image for each cut: that of what is certain.
  package var isOfCertainty = false
  /// The records before which the power is cut; with a missing or late sync, those at which it makes a difference.
  package private(set) var cuts: [Int]
  /// The changes behind which syncs are late, by the records at which they end. They are on the disk: without them, an
  /// image is one that a punctual sync allows, too.
  private var earlyChanges: [Int: [Int: Disk.Part]] = [:]

  /// An image: its number in the series, the record before which the power was cut, and the changes.
  package struct Image: Sendable {
    /// The number, from 0.
    package let number: Int
    /// The record before which the power was cut.
    package let cut: Int
    /// The files.
    package let disk: DiskImage
    /// A seed for what is arbitrary in the image.
    package let seed: UInt64
    /// A description of the changes: operations that are on the disk, not, or in part.
    package let changes: String
  }

  /// The numbers of a series.
  package struct Counts: Sendable {
    /// The number of images.
    package var images = 0
    /// The number of cuts.
    package var cuts = 0
    /// The number of cuts all of whose subsets of important changes are images.
    package var exhausted = 0
    /// The largest number of uncertain changes.
    package var uncertainMax = 0
  }

  /// Creates the images of a trace from the disk as it was before it; the closure returns whether the changes of a path
  /// are important.
  package init(
    _ trace: Trace, on disk: Disk, fault: Fault? = nil, seed: UInt64,
    isImportant: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    (self.trace, self.disk, self.fault, self.seed) = (trace, disk, fault, seed)
    self.isImportant = isImportant
    var cuts: Set<Int> = [trace.recordCount]
    for operation in trace.operations {
      if operation.mark != nil { cuts.insert(operation.ended + 1) }
      if operation.isSync { cuts.insert(operation.ended) }
    }
    // A late sync is missed between the change that it waits for and the end of that change.
    if case .late(let kind) = fault {
      for change in Self.changes(beforeLate: kind, trace, disk) {
        earlyChanges[trace.operations[change].ended, default: [:]][change] = .whole
      }
      cuts.formUnion(earlyChanges.keys)
    }
    self.cuts = cuts.sorted()
    guard let fault, !fault.isLying else { return }
    // Elsewhere, the images are those without the fault.
    var (faulty, honest) = (Player(trace, on: disk, fault: fault), Player(trace, on: disk))
    self.cuts.removeAll { cut in
      faulty.move(to: cut)
      honest.move(to: cut)
      return faulty.disk.uncertainCount == honest.disk.uncertainCount
    }
  }

  private static func changes(beforeLate kind: String, _ trace: Trace, _ disk: Disk) -> [Int] {
    var player = Player(trace, on: disk)
    return trace.operations.indices.filter { trace.operations[$0].isSync }.compactMap { index in
      player.move(to: trace.operations[index].ended)
      return player.kind(of: index) == kind ? trace.nextChange(after: index) : nil
    }
  }

  /// Returns at most `limit` images that differ, in the order of their cuts.
  package func images(_ limit: Int) -> Images { Images(self, limit) }

  /// The images one after the other, with their numbers so far.
  package struct Images: Sendable {
    /// The numbers of the images returned so far.
    package private(set) var counts = Counts()
    private let limit: Int
    private let chosen: [Int]
    private var player: Player
    private var marks: [Int]
    private var markCount: UInt64 = 0
    private var random: SeededRandom
    private var seen: Set<UInt64> = []
    private var choices: Choices?
    private var quota = 0
    private var made = 0
    private var tries = 0

    fileprivate init(_ series: ImageSeries, _ limit: Int) {
      self.limit = limit
      player = Player(series.trace, on: series.disk, fault: series.fault)
      marks = series.trace.operations.filter { $0.mark != nil }.map(\.began).reversed()
      random = SeededRandom(seed: series.seed)
      let cuts = series.cuts
      // Behind a late sync, it depends on which of the changes are on the disk whether anything is missed.
      let most = series.earlyChanges.isEmpty ? limit : max(1, limit / 12)
      chosen = most < cuts.count ? Array(cuts.shuffled(using: &random).prefix(most)).sorted() : cuts
      (isImportant, isOfCertainty) = (series.isImportant, series.isOfCertainty)
      earlyChanges = series.earlyChanges
    }

    private let earlyChanges: [Int: [Int: Disk.Part]]
    private let isImportant: @Sendable (String) -> Bool
    private let isOfCertainty: Bool

    /// Returns the next image; nil after the last.
    package mutating func next() -> Image? {
      while true {
        if let image = nextAtCut() { return image }
        if choices?.areSubsetsExhausted ?? false { counts.exhausted += 1 }
        guard counts.cuts < chosen.count, counts.images < limit else { return nil }
        moveToNextCut()
      }
    }

    private mutating func moveToNextCut() {
      let (cut, left) = (chosen[counts.cuts], chosen.count - counts.cuts)
      player.move(to: cut)
      while let mark = marks.last, mark < cut {
        marks.removeLast()
        markCount += 1
      }
      quota = (limit - counts.images + left - 1) / left
      (made, tries) = (0, 4 * quota + 8)
      let uncertain = player.disk.uncertain
      choices = Choices(uncertain, isImportant, quota: quota, SeededRandom(seed: random.next()))
      counts.cuts += 1
      counts.uncertainMax = max(counts.uncertainMax, uncertain.count)
    }

    private mutating func nextAtCut() -> Image? {
      let early = counts.cuts > 0 ? earlyChanges[chosen[counts.cuts - 1]] ?? [:] : [:]
      while made < quota, tries > 0, let some = isOfCertainty ? [:] : choices?.next() {
        tries -= isOfCertainty ? tries : 1
        let choice = some.merging(early) { $1 }
        let disk = player.disk.image { choice[$0] ?? .nothing }
        guard seen.insert(disk.hash &+ markCount &* 0x9E37_79B9_7F4A_7C15).inserted else { continue }
        made += 1
        counts.images += 1
        return Image(
          number: counts.images - 1, cut: chosen[counts.cuts - 1], disk: disk, seed: random.next(),
          changes: choices?.words(choice) ?? "")
      }
      return nil
    }
  }
}

/// The choices of what is on the disk at a cut.
struct Choices {
  let uncertain: [Disk.Uncertain]
  private let important: [Disk.Uncertain]
  private let others: [Disk.Uncertain]
  private var random: SeededRandom
  private var turn = 0
  private var subset = 0
  /// The order in which the subsets are taken: a number that is added, and one that is multiplied.
  private let start: Int
  private let step: Int

  init(_ uncertain: [Disk.Uncertain], _ isImportant: (String) -> Bool, quota: Int, _ random: SeededRandom) {
    self.uncertain = uncertain
    important = uncertain.filter { isImportant($0.path) }
    others = uncertain.filter { !isImportant($0.path) }
    var random = random
    (start, step) = (random.below(1 << 30), 2 * random.below(1 << 20) + 1)
    // With few images for a cut, it is not always the same ones that are left out.
    if quota < 6 { turn = random.below(8) }
    self.random = random
  }

  private var subsetCount: Int? {
    important.count <= ImageSeries.subsetMax ? 1 << important.count : nil
  }

  /// Whether every subset of the important changes was returned.
  var areSubsetsExhausted: Bool { subsetCount.map { subset >= $0 } ?? false }

  /// Returns the next choice: the part of each change that is on the disk.
  mutating func next() -> [Int: Disk.Part]? {
    if uncertain.isEmpty && turn > 8 { return nil }
    defer { turn += 1 }
    switch turn {
    case 0: return [:]
    case 1: return all(uncertain)
    case 2: return all(others)
    case 3: return all(important)
    case let turn where turn % 3 != 2:
      if let choice = nextSubset() { return choice.merging(someOthers()) { old, _ in old } }
      return torn()
    default: return random.below(4) == 0 ? lonely() : torn()
    }
  }

  /// Returns a choice of one change alone, or of all but one: what depends on the order of two changes.
  private mutating func lonely() -> [Int: Disk.Part] {
    guard !uncertain.isEmpty else { return [:] }
    let one = uncertain[random.below(uncertain.count)].operation
    return random.below(2) == 0 ? [one: .whole] : all(uncertain.filter { $0.operation != one })
  }

  private func all(_ changes: [Disk.Uncertain]) -> [Int: Disk.Part] {
    Dictionary(changes.map { ($0.operation, .whole) }) { old, _ in old }
  }

  private mutating func nextSubset() -> [Int: Disk.Part]? {
    guard let count = subsetCount else {
      let density = 1 + random.below(7)
      return all(important.filter { _ in random.below(8) < density })
    }
    guard subset < count else { return nil }
    let mask = (start + subset * step) & (count - 1)
    subset += 1
    return all(important.enumerated().filter { mask >> $0.offset & 1 == 1 }.map(\.element))
  }

  private mutating func someOthers() -> [Int: Disk.Part] {
    switch random.below(4) {
    case 0: return [:]
    case 1: return all(others)
    case 2: return all(Array(others.prefix(random.below(others.count + 1))))
    default:
      let density = 1 + random.below(7)
      return all(others.filter { _ in random.below(8) < density })
    }
  }

  /// Returns a choice in which writes may be torn.
  private mutating func torn() -> [Int: Disk.Part] {
    var choice = someOthers()
    // Some disks keep the order of writes.
    let isOrdered = random.below(3) == 0
    let end = random.below(important.count + 1)
    for (index, change) in important.enumerated() {
      choice[change.operation] =
        isOrdered ? (index < end ? .whole : index == end ? tornPart(change) : .nothing) : somePart(change)
    }
    for change in others where random.below(16) == 0 { choice[change.operation] = tornPart(change) }
    return choice
  }

  private mutating func somePart(_ change: Disk.Uncertain) -> Disk.Part {
    switch random.below(4) {
    case 0: .nothing
    case 1: .whole
    default: tornPart(change)
    }
  }

  private mutating func tornPart(_ change: Disk.Uncertain) -> Disk.Part {
    if !change.isWrite { return random.below(2) == 0 ? .whole : .nothing }
    if random.below(8) == 0 { return .sizeOnly }
    return .pieces(of: random.below(3) == 0 ? 4096 : 512, seed: random.next())
  }

  /// Returns a choice as words.
  func words(_ choice: [Int: Disk.Part]) -> String {
    let words = important.map { change -> String in
      let part =
        switch choice[change.operation] ?? .nothing {
        case .nothing: "-"
        case .whole: "+"
        case .sizeOnly: "size of "
        case .pieces(let size, _): "\(size)-byte pieces of "
        }
      return "\(part)\(change.operation) \(change.path)"
    }
    let kept = others.filter { (choice[$0.operation] ?? .nothing) != .nothing }.count
    return words.joined(separator: ", ") + "; \(kept) of \(others.count) unsynced changes of derived files"
  }
}
