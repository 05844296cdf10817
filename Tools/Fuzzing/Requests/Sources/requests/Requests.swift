// Attacks the web server and the gate of the studio with random requests, or with a crowd of connections.
import Foundation

@main
enum Requests {
  static func main() {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      switch options.mode {
      case .requests: try Campaign(options).run()
      case .crowd: try Crowd(options).run()
      }
    } catch {
      FileHandle.standardError.write(Data("requests: \(error)\n".utf8))
      exit(1)
    }
  }
}

/// The arguments of the program.
struct Options {
  enum Mode { case requests, crowd }

  var mode = Mode.requests
  /// The number of inputs that are parsed and judged within the process.
  var runs = 9_500_000
  /// The number of inputs that are sent to a server.
  var sockets = 500_000
  var seed = UInt64.random(in: 0...UInt64(UInt32.max))
  /// The number of the first input, to replay one that failed.
  var first = 0
  /// The number of connections of a crowd.
  var connections = 10_000
  /// How long slow heads and slow bodies are sent, in seconds.
  var slowSeconds = 10

  init(_ arguments: some Sequence<String>) throws(Failure) {
    var rest = Array(arguments)
    while !rest.isEmpty {
      let name = rest.removeFirst()
      if name == "--crowd" {
        mode = .crowd
        continue
      }
      guard let number = rest.isEmpty ? nil : UInt64(rest.removeFirst()) else { throw Failure(Self.usage) }
      switch name {
      case "--runs": runs = Int(clamping: number)
      case "--sockets": sockets = Int(clamping: number)
      case "--seed": seed = number
      case "--first": first = Int(clamping: number)
      case "--connections": connections = Int(clamping: number)
      case "--slow-seconds": slowSeconds = Int(clamping: number)
      default: throw Failure(Self.usage)
      }
    }
  }

  private static let usage =
    "usage: requests [--runs N] [--sockets N] [--seed N] [--first N] | --crowd [--connections N] [--slow-seconds N]"
}

/// A check that failed, or a campaign that could not begin.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
