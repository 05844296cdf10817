import EventLog
import EventLogLMDB
let path = CommandLine.arguments[1]
let n = Int(CommandLine.arguments[2])!, batch = Int(CommandLine.arguments[3])!
func run() throws {
  let store = try EventStore.open(at: path, options: .init(creates: true))
  print(try store.head())
  let payload = [UInt8](repeating: 0x61, count: 160)
  let names = try (0..<1000).map { try Name("channel/\($0)") }
  var g = SystemRandomNumberGenerator()
  let clock = ContinuousClock()
  for _ in 0..<3 {
  let t = try clock.measure {
    for _ in 0..<n {
      var events: [ProposedEvent] = []
      for _ in 0..<batch { events.append(ProposedEvent(stream: names[Int.random(in: 0..<1000, using: &g)], type: "messageSent", payload: payload)) }
      _ = try store.append(events)
    }
  }
  let s = Double(t.components.seconds) + Double(t.components.attoseconds) * 1e-18
  print(Int(Double(n * batch) / s), "events/s")
  }
  for checks in [Checks.full, .none] {
  var c = 0
  let t2 = try clock.measure { try store.read(checks: checks) { c += Int($0.payload.byteCount) ; return .next } }
  print("scan", checks, t2 / Double(c / 160), "per event", c/160)
  }
  print(try store.head())
  store.close()
}
do { try run() } catch { print(error) }
