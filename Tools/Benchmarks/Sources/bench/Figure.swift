// Measured figures with a sample per round.

/// The unit of a figure.
enum Unit: String, Encodable {
  case perSecond = "events/s"
  case nanoseconds = "ns"
  case microseconds = "µs"
  case seconds = "s"
  case milliseconds = "ms"
  case mebibytes = "MiB"
  case count
  case bytes
  case ratio
}

/// One quantity, measured in each round.
struct Figure: Encodable {
  let unit: Unit
  let samples: [Double]

  var median: Double {
    let sorted = samples.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  var min: Double { samples.min() ?? 0 }
  var max: Double { samples.max() ?? 0 }

  /// Returns the ratio to another figure, round by round, so that slowdowns of both cancel out.
  func ratio(to other: Figure) -> Figure {
    Figure(unit: .ratio, samples: zip(samples, other.samples).map { $0 / $1 })
  }

  private enum Key: CodingKey { case unit, median, min, max, samples }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(unit, forKey: .unit)
    try container.encode(median, forKey: .median)
    try container.encode(min, forKey: .min)
    try container.encode(max, forKey: .max)
    try container.encode(samples, forKey: .samples)
  }
}

extension [String: Figure] {
  /// Returns the ratios of named figures to those of the same names, round by round.
  func ratios(to others: Self) -> Self {
    reduce(into: [:]) { ratios, entry in ratios[entry.key] = others[entry.key].map { entry.value.ratio(to: $0) } }
  }
}

/// A benchmark run that returns its measurements by name.
typealias Contestant = () throws -> [String: Double]

/// Runs the contestants in turn, with another order in each round.
func inTurn(_ contestants: [Contestant], rounds: Int, unit: Unit) throws -> [String: Figure] {
  var samples: [String: [Double]] = [:]
  for round in 0..<rounds {
    for turn in contestants.indices {
      for (name, value) in try contestants[(round + turn) % contestants.count]() {
        samples[name, default: []].append(value)
      }
    }
  }
  return samples.mapValues { Figure(unit: unit, samples: $0) }
}

/// A ratio of two named figures.
struct Ratio {
  let over: String
  let under: String

  init(_ over: String, to under: String) {
    self.over = over
    self.under = under
  }

  var name: String { over + " / " + under }
}

func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return secondsSince(start)
}

func secondsSince(_ start: ContinuousClock.Instant) -> Double {
  start.duration(to: .now) / .seconds(1)
}
