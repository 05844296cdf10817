// The process behind Tools/torture: runs campaigns, workloads that are recorded, and checks of images.
import ChildProcess
import Foundation
import SeededRandom

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@main enum Worker {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "run":
      guard let workload = Workload.named(arguments[1]) else { exit(2) }
      await ending { try await workload.run(arguments[2], SeededRandom(seed: UInt64(arguments[3])!)) }
    case "recover":
      await ending {
        let recovery = Recovery(ledger: try Ledger(marksIn: arguments[1]))
        try await recovery.run(arguments[2], SeededRandom(seed: UInt64(arguments[3])!))
      }
    case "judge": try await Judge(recording: arguments[1]).run()
    case "check": try await CheckRun(arguments).run()
    case "flip": try await FlipRun(arguments).run()
    default:
      do {
        exit(try Campaign(options(arguments)).run() ? 0 : 1)
      } catch {
        say("Tools/torture: \(error)")
        exit(2)
      }
    }
  }

  /// Runs what is recorded; ends the process with 1 and a line with the error, if it throws one.
  nonisolated(nonsending) private static func ending(_ body: () async throws -> Void) async {
    do { try await body() } catch {
      say("error\t\(error)")
      exit(1)
    }
  }

  private static func options(_ arguments: [String]) throws -> Options {
    var options = Options()
    var rest = arguments[...]
    func value() throws -> String {
      guard let value = rest.popFirst() else { throw Finding("an option has no value; see --help") }
      return value
    }
    var names: [String] = []
    while let option = rest.popFirst() {
      switch option {
      case "--workload": names.append(try value())
      case "--images": options.images = Int(try value()) ?? options.images
      case "--seed": options.seed = UInt64(try value()) ?? options.seed
      case "--certain": options.isOfCertainty = true
      case "--lying": options.isOfLyingDisk = true
      case "--controls": options.isControlled = true
      case "--orders": (options.isControlled, options.isOrdered) = (true, true)
      case "--control":
        options.isControlled = true
        options.kinds.append(try value())
      case "--control-images": options.controlImages = Int(try value()) ?? options.controlImages
      case "--recoveries": options.recoveries = Int(try value()) ?? options.recoveries
      case "--keystrokes": options.keystrokeLimit = UInt64(try value())
      case "--keep": options.kept = try value()
      case "--calls":
        let number = try value()
        (options.hasFailingCalls, options.calls) = (true, number == "all" ? nil : Int(number))
      case "--call": (options.hasFailingCalls, options.call) = (true, Int(try value()))
      case "--bits":
        let number = try value()
        (options.hasFlippedBits, options.bits) = (true, number == "all" ? nil : Int(number))
      case "--file": options.files.append(try value())
      case "--failure": options.failures.append(try value())
      case "--messages": options.hasMessages = true
      case "--scratch": options.scratch = try value()
      case "--recorder": options.recorder = try value()
      case "--list":
        for workload in Workload.all { say("\(workload.name): \(workload.summary)") }
        exit(0)
      default: throw Finding("an unknown option, \(option); see --help")
      }
    }
    if !names.isEmpty {
      options.workloads = try names.map { name in
        guard let workload = Workload.named(name) else { throw Finding("no workload \(name); --list has their names") }
        return workload
      }
    }
    return options
  }
}
